{#-
  What one bronze load works with, checked: the target, its source, the strategy and its settings. Refuses all that is
  wrong at once, before anything is read.
-#}
{% macro bronze_load(strategy) -%}
    {%- set source = source_of(model) -%}
    {%- set meta = config.get('meta') or {} -%}
    {%- set parent = parent_of(model) -%}
    {%- set root = source_of(parent) if parent else none -%}
    {%- set load = {
        'sql': sql ~ '\n',
        'strategy': strategy,
        'target': this.incorporate(type='table'),
        'source_id': source.unique_id,
        'window': source.config.meta.get('window'),
        'source_table': source.source_name ~ '.' ~ source.name,
        'source_columns': source.columns.keys() | map('lower') | list,
        'is_nested': 'nested' in source.config.meta,
        'parent': root.source_name ~ '.' ~ root.name if root else none,
        'record_key': meta.get('record_key', source.config.meta.get('record_key', ['row_id'] if parent else [])),
        'cursor': source.config.meta.get('cursor'),
        'is_read_whole': 'cursor' in source.config.meta and source.config.meta['cursor'] is none,
        'use_hash': meta.get('use_hash', false),
        'order_by': meta.get('order_by'),
        'optional_columns': meta.get('optional_columns', []),
        'allow_empty': meta.get('allow_empty', false),
        'on_schema_change': model.unrendered_config.get('on_schema_change', 'append_new_columns'),
    } -%}
    {%- do check_load_settings(load, meta) -%}
    {{ return(load) }}
{%- endmacro %}

{#-
  What one bronze load works with, checked: the target, its source, the strategy and its settings. Refuses all that is
  wrong at once, before anything is read.
-#}
{% macro bronze_load(strategy) -%}
    {%- set sources = graph.sources.values() | selectattr('unique_id', 'in', model.depends_on.nodes) | list -%}
    {%- if sources | length != 1 or model.depends_on.nodes | length != 1 -%}
        {%- do exceptions.raise_compiler_error(
            model.name ~ ": a bronze model reads exactly one source, by landed('source', 'table'), and nothing else"
        ) -%}
    {%- endif -%}
    {%- set source_meta = sources[0].config.meta -%}
    {%- set meta = config.get('meta') or {} -%}
    {%- set load = {
        'strategy': strategy,
        'target': this.incorporate(type='table'),
        'source_table': sources[0].source_name ~ '.' ~ sources[0].name,
        'source_columns': sources[0].columns.keys() | list,
        'record_key': meta.get('record_key', source_meta.get('record_key', [])),
        'cursor': source_meta.get('cursor'),
        'use_hash': meta.get('use_hash', false),
        'order_by': meta.get('order_by'),
        'optional_columns': meta.get('optional_columns', []),
        'allow_empty': meta.get('allow_empty', false),
        'on_schema_change': model.unrendered_config.get('on_schema_change', 'append_new_columns'),
    } -%}
    {%- do check_load_settings(load, meta) -%}
    {{ return(load) }}
{%- endmacro %}

{% macro check_load_settings(load, meta) -%}
    {%- set known = ['record_key', 'use_hash', 'order_by', 'optional_columns', 'allow_empty'] -%}
    {%- set changes = ['append_new_columns', 'fail', 'ignore'] -%}
    {%- set problems = [] -%}
    {%- for name in meta if name not in known -%}
        {%- do problems.append("unknown setting '" ~ name ~ "' under meta, expected: " ~ known | join(', ')) -%}
    {%- endfor -%}
    {%- for name in ['record_key', 'optional_columns'] if load[name] is string or load[name] is not iterable -%}
        {%- do problems.append(name ~ " is '" ~ load[name] ~ "', expected a list of column names") -%}
    {%- endfor -%}
    {%- for name in ['use_hash', 'allow_empty'] if load[name] is not boolean -%}
        {%- do problems.append(name ~ " is '" ~ load[name] ~ "', expected true or false") -%}
    {%- endfor -%}
    {%- if load.on_schema_change not in changes -%}
        {%- do problems.append(
            "on_schema_change is '" ~ load.on_schema_change ~ "', expected one of: " ~ changes | join(', ')
        ) -%}
    {%- endif -%}
    {%- if load.order_by and (load.order_by is not mapping or load.order_by.keys() | sort != ['column', 'type']) -%}
        {%- do problems.append("order_by is '" ~ load.order_by ~ "', expected {column: ..., type: ...}") -%}
    {%- endif -%}
    {%- if load.parent and load.strategy != 'batch_replace' -%}
        {%- do problems.append(load.strategy ~ ' cannot replace the rows of a child with their root; use batch_replace') -%}
    {%- endif -%}
    {%- if load.is_nested and load.cursor -%}
        {%- do problems.append('a nested root has no cursor, by which it could be newer than its children') -%}
    {%- endif -%}
    {%- if load.strategy == 'bronze_merge' and not load.record_key -%}
        {%- do problems.append('bronze_merge needs record_key, the columns of the natural key') -%}
    {%- endif -%}
    {%- if load.strategy != 'bronze_merge' and (load.cursor or load.window == 'rolling') -%}
        {%- do problems.append(
            load.strategy ~ ' would double or lose the rows that this source delivers again; use bronze_merge'
        ) -%}
    {%- elif load.strategy == 'truncate_insert' and load.window == 'daily' -%}
        {%- do problems.append('truncate_insert would keep the last day alone; use batch_replace') -%}
    {%- endif -%}
    {%- for node in graph.nodes.values() if node.unique_id != model.unique_id and load.source_id in node.depends_on.nodes
        and node.config.materialized in ['bronze_merge', 'batch_replace', 'truncate_insert', 'append'] -%}
        {%- do problems.append(node.name ~ ' loads the same source; its batches can be loaded by one model only') -%}
    {%- endfor -%}
    {%- if problems -%}
        {%- do exceptions.raise_compiler_error(model.name ~ ': ' ~ problems | join('; ')) -%}
    {%- endif -%}
{%- endmacro %}

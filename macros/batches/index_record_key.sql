{#- A way to find rows by their key, and those of a child by their root, where the engine has none by itself. -#}
{% macro index_record_key(load) -%}
    {%- do adapter.dispatch('index_record_key', 'hotelmind_warehouse')(load) -%}
{%- endmacro %}

{% macro default__index_record_key(load) -%}
{%- endmacro %}

{#- Not unique: the fence and the load keep keys apart, and the index only has to find them in a table of many windows. -#}
{% macro postgres__index_record_key(load) -%}
    {%- do run_statement('create index on ' ~ load.target ~ ' (record_key)') -%}
    {%- if load.parent and 'root_row_id' in load.source_columns -%}
        {%- do run_statement('create index on ' ~ load.target ~ ' (root_row_id)') -%}
    {%- endif -%}
{%- endmacro %}

{#- One writer a table. A DuckDB file belongs to one process, and dbt builds a model once a run: nothing to lock. -#}
{% macro fence(load) -%}
    {%- do adapter.dispatch('fence', 'hotelmind_warehouse')(load) -%}
{%- endmacro %}

{% macro duckdb__fence(load) -%}
{%- endmacro %}

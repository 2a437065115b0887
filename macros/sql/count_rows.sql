{#- Has the engine count a temporary relation's rows before it plans with it, where it does not do so by itself. -#}
{% macro count_rows(relation) -%}
    {%- do adapter.dispatch('count_rows', 'hotelmind_warehouse')(relation) -%}
{%- endmacro %}

{% macro default__count_rows(relation) -%}
{%- endmacro %}

{#- Temporary tables are never analyzed by PostgreSQL itself; without it a merge of many rows may be planned as a loop. -#}
{% macro postgres__count_rows(relation) -%}
    {%- do run_statement('analyze ' ~ relation) -%}
{%- endmacro %}

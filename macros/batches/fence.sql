{#- One writer a table until the transaction ends; readers go on. -#}
{% macro fence(load) -%}
    {%- do adapter.dispatch('fence', 'hotelmind_warehouse')(load) -%}
{%- endmacro %}

{#- A DuckDB file belongs to one process, and dbt builds a model once a run: nothing to lock. -#}
{% macro duckdb__fence(load) -%}
{%- endmacro %}

{% macro postgres__fence(load) -%}
    {%- do run_statement('lock table ' ~ load.target ~ ' in share row exclusive mode') -%}
{%- endmacro %}

{#-
  Snowflake has no statement that locks; documented: the strategy's own MERGE or DELETE holds the table until the
  transaction ends, and another waits for it. An INSERT alone (append) waits for none: of two builds that load the same
  batch at once, the second finds nothing left to claim, and rolls back.
-#}
{% macro snowflake__fence(load) -%}
{%- endmacro %}

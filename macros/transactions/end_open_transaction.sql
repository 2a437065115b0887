{#-
  Ends what an earlier statement or a failed model left open on this connection, so that the DDL that follows commits by
  itself.
-#}
{% macro end_open_transaction() -%}
    {{ return(adapter.dispatch('end_open_transaction', 'hotelmind_warehouse')()) }}
{%- endmacro %}

{% macro default__end_open_transaction() -%}
    {%- do run_statement('rollback') -%}
{%- endmacro %}

{#- DuckDB refuses a rollback outside a transaction, and dbt-duckdb opens a fresh cursor for every model. -#}
{% macro duckdb__end_open_transaction() -%}
{%- endmacro %}

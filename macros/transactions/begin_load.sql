{#-
  The transaction around one batch. Bare statements, never adapter.commit(): dbt-postgres sends BEGIN only once a
  connection, so that after its first commit every statement would commit by itself.
-#}
{% macro begin_load() -%}
    {%- do run_statement('begin') -%}
{%- endmacro %}

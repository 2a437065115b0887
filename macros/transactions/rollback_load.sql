{% macro rollback_load() -%}
    {%- do run_statement('rollback') -%}
{%- endmacro %}

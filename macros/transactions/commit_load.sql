{% macro commit_load() -%}
    {%- do run_statement('commit') -%}
{%- endmacro %}

{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ schema_name((custom_schema_name or 'hotelmind_warehouse') | trim) }}
{%- endmacro %}

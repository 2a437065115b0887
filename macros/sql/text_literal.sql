{% macro text_literal(value) -%}
    {{ return('null' if value is none else "'" ~ (value | string | replace("'", "''")) ~ "'") }}
{%- endmacro %}

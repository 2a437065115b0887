{% macro text_literal(value) -%}
    {{ return(adapter.dispatch('text_literal', 'hotelmind_warehouse')(value)) }}
{%- endmacro %}

{% macro default__text_literal(value) -%}
    {{ return('null' if value is none else "'" ~ (value | string | replace("'", "''")) ~ "'") }}
{%- endmacro %}

{#- There a backslash begins an escape sequence, also between plain quotes. -#}
{% macro snowflake__text_literal(value) -%}
    {{ return(default__text_literal(none if value is none else value | string | replace('\\', '\\\\'))) }}
{%- endmacro %}

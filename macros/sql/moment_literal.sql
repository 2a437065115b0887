{% macro moment_literal(text) -%}
    {{ return('cast(' ~ text_literal(text) ~ ' as timestamptz)') }}
{%- endmacro %}

{#- True where the whole text matches the pattern; classes are spelled out, since Snowflake eats backslashes. -#}
{% macro has_shape(text, pattern) -%}
    {{ return(adapter.dispatch('has_shape', 'hotelmind_warehouse')(text, pattern)) }}
{%- endmacro %}

{% macro default__has_shape(text, pattern) -%}
    {{ return("regexp_like(" ~ text ~ ", '^(" ~ pattern ~ ")$')") }}
{%- endmacro %}

{% macro duckdb__has_shape(text, pattern) -%}
    {{ return("regexp_full_match(" ~ text ~ ", '" ~ pattern ~ "')") }}
{%- endmacro %}

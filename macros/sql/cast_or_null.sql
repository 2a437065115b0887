{#- Text as `type`, or NULL where it cannot be: bronze keeps the text, the test cast_succeeds shows it. -#}
{% macro cast_or_null(text, type) -%}
    {{ return(adapter.dispatch('cast_or_null', 'hotelmind_warehouse')(text, type)) }}
{%- endmacro %}

{% macro default__cast_or_null(text, type) -%}
    {{ return('try_cast(' ~ text ~ ' as ' ~ type ~ ')') }}
{%- endmacro %}

{% macro postgres__cast_or_null(text, type) -%}
    {{ return("case when pg_input_is_valid(" ~ text ~ ", '" ~ type ~ "') then cast(" ~ text ~ ' as ' ~ type ~ ') end') }}
{%- endmacro %}

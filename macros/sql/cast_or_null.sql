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

{#-
  Of moments with an offset, Snowflake documents that a cast reads 2026-05-01 10:00:00.123+02:00 and ...+02, with a space
  before the clock; ...T10:00:00Z and ...+0200, which sources also print, are made such before.
-#}
{% macro snowflake__cast_or_null(text, type) -%}
    {%- if type in ('timestamptz', 'timestamp_tz') -%}
        {%- set spelled = "replace(replace(" ~ text ~ ", 'T', ' '), 'Z', '+00:00')" -%}
        {%- set text = "regexp_replace(" ~ spelled ~ ", '([+-][0-9]{2})([0-9]{2})$', '\\\\1:\\\\2')" -%}
    {%- endif -%}
    {{ return(default__cast_or_null(text, type)) }}
{%- endmacro %}

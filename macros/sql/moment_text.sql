{#- Expression of a moment as text, with microseconds and its offset; moment_literal reads it. -#}
{% macro moment_text(moment) -%}
    {{ return(adapter.dispatch('moment_text', 'hotelmind_warehouse')(moment)) }}
{%- endmacro %}

{% macro default__moment_text(moment) -%}
    {{ return('cast(' ~ moment ~ ' as varchar)') }}
{%- endmacro %}

{#- A cast would print it as the account is set; by default without microseconds. -#}
{% macro snowflake__moment_text(moment) -%}
    {{ return("to_varchar(convert_timezone('UTC', " ~ moment ~ "), 'YYYY-MM-DD HH24:MI:SS.FF6TZH:TZM')") }}
{%- endmacro %}

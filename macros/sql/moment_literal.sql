{% macro moment_literal(text) -%}
    {{ return(adapter.dispatch('moment_literal', 'hotelmind_warehouse')(text)) }}
{%- endmacro %}

{% macro default__moment_literal(text) -%}
    {{ return('cast(' ~ text_literal(text) ~ ' as timestamptz)') }}
{%- endmacro %}

{#- By a format of our own: what a cast reads there is a setting of the account. -#}
{% macro snowflake__moment_literal(text) -%}
    {%- if text is none -%}
        {{ return('cast(null as timestamptz)') }}
    {%- endif -%}
    {%- set moment = modules.datetime.datetime.fromisoformat(text).astimezone(modules.pytz.utc) -%}
    {{ return(
        "to_timestamp_tz('" ~ moment.strftime('%Y-%m-%d %H:%M:%S.%f') ~ " +00:00', 'YYYY-MM-DD HH24:MI:SS.FF6 TZH:TZM')"
    ) }}
{%- endmacro %}

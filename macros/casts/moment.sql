{#-
  A printed moment as a UTC timestamp, else NULL. It comes either with its offset (2026-05-01T10:00:00.123Z) or as
  `timezone`'s clocks show it (2026-05-01 10:00:00). The type is timestamp, without a zone: it is the same on every
  engine, and neither its text nor its day depends on who is looking.
-#}
{% macro moment(text, timezone="'UTC'") -%}
    {%- set local = '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,6})?' -%}
    {%- set has_offset = has_shape(text, local ~ '(Z|[+-][0-9]{2}(:?[0-9]{2})?)') -%}
    {#- Three letters at least: PM and BC mean something else to PostgreSQL. -#}
    {%- set is_local = has_shape(text, local) ~ ' and ' ~ has_shape(timezone, '[A-Za-z]{3}[A-Za-z0-9_+/-]*') -%}
    {{ return(adapter.dispatch('moment', 'hotelmind_warehouse')(text, timezone, has_offset, is_local)) }}
{%- endmacro %}

{% macro default__moment(text, timezone, has_offset, is_local) -%}
    {%- set zoned = 'case when ' ~ has_offset ~ ' then ' ~ text
        ~ ' when ' ~ is_local ~ ' then ' ~ text ~ " || ' ' || " ~ timezone ~ ' end' -%}
    {{ return('(' ~ cast_or_null(zoned, 'timestamptz') ~ ") at time zone 'UTC'") }}
{%- endmacro %}

{#-
  Snowflake reads no zone's name inside a text, and a name it does not know is its error, which no cast can catch: a name
  out of a column is looked up first, among those of the release that Snowflake documents (2021a).
-#}
{% macro snowflake__moment(text, timezone, has_offset, is_local) -%}
    {%- set later = ['America/Ciudad_Juarez', 'America/Coyhaique', 'Europe/Kyiv', 'Pacific/Kanton'] -%}
    {%- set known = '|' ~ modules.pytz.all_timezones | reject('in', later) | join('|') ~ '|' -%}
    {%- set is_known = '' if timezone.startswith("'")
        else " and contains('" ~ known ~ "', '|' || " ~ timezone ~ " || '|')" -%}
    {{ return(
        'case when ' ~ has_offset
        ~ " then cast(convert_timezone('UTC', " ~ cast_or_null(text, 'timestamp_tz') ~ ') as timestamp_ntz)'
        ~ ' when ' ~ is_local ~ is_known
        ~ ' then convert_timezone(' ~ timezone ~ ", 'UTC', " ~ cast_or_null(text, 'timestamp_ntz') ~ ') end'
    ) }}
{%- endmacro %}

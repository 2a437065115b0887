{#- A day printed as 2026-05-01, else NULL: `infinity` and `today` are dates to PostgreSQL, and none to us. -#}
{% macro calendar_date(text) -%}
    {{ return(
        'case when ' ~ has_shape(text, '[0-9]{4}-[0-9]{2}-[0-9]{2}') ~ ' then ' ~ cast_or_null(text, 'date') ~ ' end'
    ) }}
{%- endmacro %}

{#- A count printed as digits, else NULL: engines would round 1.5 and read 1_000 and 0x1F, each as it likes. -#}
{% macro whole_number(text) -%}
    {{ return('case when ' ~ has_shape(text, '-?[0-9]{1,18}') ~ ' then ' ~ cast_or_null(text, 'bigint') ~ ' end') }}
{%- endmacro %}

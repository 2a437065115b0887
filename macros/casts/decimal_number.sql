{#- A number printed with digits and a point, rounded to `scale` places, else NULL: NaN and 1e3 are no report's numbers. -#}
{% macro decimal_number(text, scale=3) -%}
    {{ return(
        'case when ' ~ has_shape(text, '-?[0-9]{1,15}([.][0-9]+)?')
        ~ ' then ' ~ cast_or_null(text, 'numeric(18, ' ~ scale ~ ')') ~ ' end'
    ) }}
{%- endmacro %}

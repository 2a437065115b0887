{#- A moment of Gladly's nightly export: some have nine digits of a second, of which the six that a moment has are kept. -#}
{% macro export_moment(text) -%}
    {{ return(
        moment('case when ' ~ has_shape(text, '.{26}[0-9]{1,3}Z') ~ ' then left(' ~ text ~ ", 26) || 'Z' else " ~ text ~ ' end')
    ) }}
{%- endmacro %}

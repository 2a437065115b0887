{#- Names as an error prints them: 'a', 'b'. -#}
{% macro quoted_list(names) -%}
    {{ return("'" ~ names | join("', '") ~ "'") }}
{%- endmacro %}

{#- True where a key part says nothing: NULL, empty, or white space alone. -#}
{% macro is_blank(column) -%}
    {{ return("coalesce(ltrim(" ~ column ~ ", ' ' || chr(9) || chr(10) || chr(13)), '') = ''") }}
{%- endmacro %}

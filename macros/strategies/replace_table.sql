{#- truncate_insert: a DELETE, not a TRUNCATE, so that readers see the old rows until the commit. -#}
{% macro replace_table(load, batch, moment, is_late) -%}
    {{ return(replace_rows(load, batch, moment, 'true')) }}
{%- endmacro %}

{#- The landing relation of this model in this run; short, since PostgreSQL cuts long names in silence. -#}
{% macro landing_name() -%}
    {{ return('landing_' ~ local_md5(invocation_id ~ model.unique_id)[:12]) }}
{%- endmacro %}

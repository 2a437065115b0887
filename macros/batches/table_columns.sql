{#- The bronze table's columns. Not adapter.get_columns_in_relation: it would begin a transaction of dbt's own. -#}
{% macro table_columns(load) -%}
    {{ return(get_columns_in_query('select * from ' ~ load.target) | map('lower') | list) }}
{%- endmacro %}

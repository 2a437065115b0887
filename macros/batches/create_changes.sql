{#- The empty relation for the rows that bronze_merge will write; made before the transaction, like all DDL. -#}
{% macro create_changes(load) -%}
    {%- if load.strategy == 'bronze_merge' -%}
        {%- do run_statement(
            'create temporary table ' ~ landing_name() ~ '_changes as select *, true as is__new from ' ~ load.target
            ~ ' limit 0'
        ) -%}
    {%- endif -%}
{%- endmacro %}

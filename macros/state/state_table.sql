{% macro state_table(name) -%}
    {{ return(api.Relation.create(
        database=target.database, schema=schema_name('hotelmind_warehouse'), identifier=name, type='table'
    )) }}
{%- endmacro %}

{#- The place for batches, on an engine where they are stored in neither files of ours nor tables; before the tables. -#}
{% macro create_batch_stage() -%}
    {%- do adapter.dispatch('create_batch_stage', 'hotelmind_warehouse')() -%}
{%- endmacro %}

{% macro default__create_batch_stage() -%}
{%- endmacro %}

{% macro snowflake__create_batch_stage() -%}
    {%- set schema = api.Relation.create(database=target.database, schema=schema_name('stage')) -%}
    {%- do adapter.create_schema(schema) -%}
    {%- do run_statement(batch_stage(schema.without_identifier())) -%}
{%- endmacro %}

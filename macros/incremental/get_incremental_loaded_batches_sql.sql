{#-
  Silver over a batch_replace table: every batch that bronze loaded since this model's watermark is replaced, also one that
  was restated to nothing.
-#}
{% macro get_incremental_loaded_batches_sql(arg_dict) -%}
    {%- set columns = arg_dict['dest_columns'] | map(attribute='quoted') | join(', ') -%}
    {%- set bronze = graph.nodes[model.depends_on.nodes[0]] -%}
    {%- set source = source_of(bronze) -%}
    {%- set replacement -%}
    delete from {{ arg_dict['target_relation'] }}
    where batch_id in (
        select batch_id from {{ state_table('etl_batches') }}
        where source_table = {{ text_literal(source.source_name ~ '.' ~ source.name) }} and status = 'loaded'
        {%- if is_incremental() %} and loaded_at >= {{ watermark() }}{% endif %}
    );
    insert into {{ arg_dict['target_relation'] }} ({{ columns }})
    select {{ columns }} from {{ arg_dict['temp_relation'] }}
    {%- endset -%}
    {{ adapter.dispatch('in_one_transaction', 'hotelmind_warehouse')(replacement) }}
{%- endmacro %}

{#- The others run a model's statements in a transaction of dbt's own. -#}
{% macro default__in_one_transaction(statements) -%}
    {{ statements }}
{%- endmacro %}

{#- dbt-snowflake commits each by itself, unless it is told otherwise. -#}
{% macro snowflake__in_one_transaction(statements) -%}
    {{ snowflake_dml_explicit_transaction(statements) }}
{%- endmacro %}

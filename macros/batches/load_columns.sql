{#- The columns that a load writes, in the order of insert_values. -#}
{% macro load_columns(load) -%}
    {{ return(
        load.columns + ['record_key', 'record_hash', 'batch_id', 'pipeline_run_id', 'date_to_warehouse', 'update_date']
    ) }}
{%- endmacro %}

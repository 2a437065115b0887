{#- What a load writes into load_columns: `landed` is the row, `record` its key and hash. -#}
{% macro insert_values(load, batch, moment, hash='record.record_hash') -%}
    {%- set values = [] -%}
    {%- for column in load.columns -%}
        {%- do values.append('landed.' ~ column) -%}
    {%- endfor -%}
    {{ return(
        values + ['record.record_key', hash, text_literal(batch.batch_id), text_literal(batch.pipeline_run_id), moment, moment]
    ) }}
{%- endmacro %}

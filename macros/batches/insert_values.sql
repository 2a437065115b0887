{#- What a new row holds, for load_columns: `landed` is the delivered row, `record` its key and hash. -#}
{% macro insert_values(load, batch, moment) -%}
    {%- set values = [] -%}
    {%- for column in load.columns -%}
        {%- do values.append('landed.' ~ column) -%}
    {%- endfor -%}
    {{ return(
        values + ['record.record_key', 'record.record_hash', text_literal(batch.batch_id),
                  text_literal(batch.pipeline_run_id), moment, moment]
    ) }}
{%- endmacro %}

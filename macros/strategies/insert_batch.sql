{#- append, and the second half of the replacing strategies: every record of the batch becomes a row. -#}
{% macro insert_batch(load, batch, moment, is_late=false) -%}
    {%- do run_statement(
        'insert into ' ~ load.target ~ ' (' ~ load_columns(load) | join(', ') ~ ') select '
        ~ insert_values(load, batch, moment) | join(', ') ~ ' from ' ~ records_to_load(load) ~ ' as record'
        ~ ' inner join (' ~ load.sql ~ ') as landed on landed.record_number = record.record_number'
    ) -%}
    {{ return({
        'landed': batch.row_count,
        'inserted': load.key_count,
        'updated': 0,
        'unchanged': batch.row_count - load.key_count,
        'deleted': 0,
    }) }}
{%- endmacro %}

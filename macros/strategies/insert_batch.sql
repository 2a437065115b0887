{#- append, and the second half of the replacing strategies: every record of the batch becomes a row. -#}
{% macro insert_batch(load, batch, moment, is_late=false) -%}
    {%- do run_statement(
        'insert into ' ~ load.target ~ ' (' ~ load_columns(load) | join(', ') ~ ') select '
        ~ insert_values(load, batch, moment) | join(', ') ~ ' from ' ~ records_to_load(load) ~ ' as record'
        ~ ' inner join (' ~ load.sql ~ ') as landed on landed.record_number = record.record_number'
    ) -%}
    {%- set inserted = run_query('select count(*) from ' ~ records_to_load(load) ~ ' as record').rows[0][0] | int -%}
    {{ return({
        'landed': batch.row_count,
        'inserted': inserted,
        'updated': 0,
        'unchanged': batch.row_count - inserted,
        'deleted': 0,
    }) }}
{%- endmacro %}

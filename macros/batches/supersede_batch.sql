{#- Sets a batch aside that has nothing to add, because what was read after it is loaded. -#}
{% macro supersede_batch(batch, reason) -%}
    {%- do run_statement(
        'update ' ~ state_table('etl_batches') ~ " set status = 'superseded', reason = " ~ text_literal(reason)
        ~ ' where ' ~ batch_condition(batch) ~ " and status = 'landed'"
    ) -%}
    {%- do log(batch.source_table ~ ' ' ~ batch.batch_id ~ ': superseded, ' ~ reason, info=true) -%}
{%- endmacro %}

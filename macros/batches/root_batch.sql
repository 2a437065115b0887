{#- The root's batch that a child's came with, in one package, where it has one of the statuses. -#}
{% macro root_batch(load, batch, statuses=['loaded']) -%}
    {{ return(ledger_batches(
        load.parent,
        'status in (' ~ quoted_list(statuses) ~ ') and batch_id = ' ~ text_literal(batch.batch_id)
        ~ ' and pipeline_run_id = ' ~ text_literal(batch.pipeline_run_id)
    ) | first) }}
{%- endmacro %}

{#- The root's batch that a child's came with, in one package; none until it is loaded. -#}
{% macro root_batch(load, batch) -%}
    {{ return(ledger_batches(
        load.parent,
        "status = 'loaded' and batch_id = " ~ text_literal(batch.batch_id)
        ~ ' and pipeline_run_id = ' ~ text_literal(batch.pipeline_run_id)
    ) | first) }}
{%- endmacro %}

{#- The condition that finds a batch's own row in the ledger. -#}
{% macro batch_condition(batch) -%}
    {{ return(
        'source_table = ' ~ text_literal(batch.source_table)
        ~ ' and batch_id = ' ~ text_literal(batch.batch_id)
        ~ ' and pipeline_run_id = ' ~ text_literal(batch.pipeline_run_id)
    ) }}
{%- endmacro %}

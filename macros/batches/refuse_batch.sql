{#-
  Stops the load of a batch: it stays pending, with the reason in the ledger, and the batches after it wait. Called
  outside a transaction only.
-#}
{% macro refuse_batch(batch, reason) -%}
    {%- do run_statement(
        'update ' ~ state_table('etl_batches') ~ ' set reason = ' ~ text_literal(reason)
        ~ ' where ' ~ batch_condition(batch)
    ) -%}
    {%- do exceptions.raise_compiler_error(
        batch.source_table ~ ' ' ~ batch.batch_id ~ ' (' ~ batch.location ~ '): ' ~ reason
    ) -%}
{%- endmacro %}

{#-
  Marks this batch as loaded, with its counts; true where it was still landed. Another run that loaded it meanwhile leaves
  nothing to claim.
-#}
{% macro claim_batch(batch, moment, counts) -%}
    {%- set claimed = run_query(
        'update ' ~ state_table('etl_batches') ~ " set status = 'loaded', reason = null, loaded_at = " ~ moment
        ~ ', rows_inserted = ' ~ counts.inserted ~ ', rows_updated = ' ~ counts.updated
        ~ ', rows_unchanged = ' ~ counts.unchanged ~ ', rows_deleted = ' ~ counts.deleted
        ~ ' where ' ~ batch_condition(batch) ~ " and status = 'landed' returning batch_id"
    ) -%}
    {{ return(claimed.rows | length == 1) }}
{%- endmacro %}

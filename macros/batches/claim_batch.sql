{#-
  Marks this batch as loaded, with its counts; true where it was still landed. Another run that loaded it meanwhile leaves
  nothing to claim.
-#}
{% macro claim_batch(batch, moment, counts) -%}
    {{ return(adapter.dispatch('updates_a_row', 'hotelmind_warehouse')(
        'update ' ~ state_table('etl_batches') ~ " set status = 'loaded', reason = null, loaded_at = " ~ moment
        ~ ', rows_inserted = ' ~ counts.inserted ~ ', rows_updated = ' ~ counts.updated
        ~ ', rows_unchanged = ' ~ counts.unchanged ~ ', rows_deleted = ' ~ counts.deleted
        ~ ' where ' ~ batch_condition(batch) ~ " and status = 'landed'"
    )) }}
{%- endmacro %}

{% macro default__updates_a_row(update) -%}
    {{ return(run_query(update ~ ' returning 1').rows | length > 0) }}
{%- endmacro %}

{#- No RETURNING there; an UPDATE answers with how many rows it changed. -#}
{% macro snowflake__updates_a_row(update) -%}
    {{ return(run_query(update).rows[0][0] | int > 0) }}
{%- endmacro %}

{#-
  Moves the source's watermark to the batch's `high`, in the batch's own transaction; nothing else moves it. It stays where
  it is while the batch begins beyond it, so that neither a reset nor a hole is jumped over.
-#}
{% macro move_watermark(batch, moment) -%}
    {%- set watermarks = state_table('etl_watermarks') -%}
    {#- Distinct: where no key is enforced (Snowflake), an attempt could have been entered twice. -#}
    {%- set this_batch = '(select distinct source_table, low, high, row_count from ' ~ state_table('etl_batches')
        ~ ' where ' ~ batch_condition(batch) ~ ')' -%}
    {%- set reached = "case when batch.high is not null and (batch.low is null or batch.low <= mark.last_extracted)"
        ~ ' then greatest(coalesce(mark.last_extracted, batch.high), batch.high) else mark.last_extracted end' -%}
    {%- do run_statement(
        'merge into ' ~ watermarks ~ ' as mark using ' ~ this_batch ~ ' as batch on mark.table_name = batch.source_table'
        ~ ' when matched then update set last_extracted = ' ~ reached ~ ', last_run_at = ' ~ moment
        ~ ', rows_extracted = batch.row_count'
        ~ ' when not matched then insert (table_name, last_extracted, last_run_at, rows_extracted)'
        ~ ' values (batch.source_table, case when batch.low is null then batch.high end, ' ~ moment ~ ', batch.row_count)'
    ) -%}
{%- endmacro %}

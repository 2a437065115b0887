{#-
  How a batch stands to loaded batches that were read from the source after it: 'none' (the usual case), 'covered' (one of
  them says all that this one could) or 'others'.
-#}
{% macro later_loaded(load, batch) -%}
    {%- set ledger = state_table('etl_batches') -%}
    {#- Which later batches stand against this one: days and appended batches only against themselves. -#}
    {%- set rivals = ' and loaded.batch_id = this.batch_id' if load.strategy in ['batch_replace', 'append'] else '' -%}
    {%- set covers = 'loaded.window_start <= this.window_start and loaded.window_end >= this.window_end'
        if load.strategy == 'bronze_merge' and not load.is_read_whole else 'true' -%}
    {%- set found = run_query(
        'select max(case when ' ~ covers ~ ' then 1 else 0 end) from ' ~ ledger ~ ' as loaded'
        ~ ' inner join (select * from ' ~ ledger ~ ' where ' ~ batch_condition(batch) ~ ') as this'
        ~ ' on loaded.source_table = this.source_table and loaded.extracted_at > this.extracted_at' ~ rivals
        ~ " where loaded.status = 'loaded'"
    ).columns[0].values()[0] -%}
    {{ return('none' if found is none else ('covered' if found | int == 1 else 'others')) }}
{%- endmacro %}

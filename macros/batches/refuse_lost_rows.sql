{#-
  Refuses to make a bronze table anew that held loaded rows, for it was dropped or renamed, until every batch of them has
  landed again. Then those attempts are set aside, so that what comes again is not taken for older than what is gone.
-#}
{% macro refuse_lost_rows(load) -%}
    {%- set source_table = text_literal(load.source_table) -%}
    {%- set ledger = state_table('etl_batches') ~ ' where source_table = ' ~ source_table -%}
    {%- set loaded = run_query(
        'select distinct batch_id, batch_id in (select batch_id from ' ~ ledger ~ " and status = 'landed')"
        ~ ' from ' ~ ledger ~ " and status = 'loaded' and row_count > 0 order by 1"
    ).rows -%}
    {%- set lost = loaded | rejectattr(1) | map(attribute=0) | list -%}
    {%- if lost -%}
        {%- do exceptions.raise_compiler_error(
            model.name ~ ': ' ~ load.target ~ ' is gone, with the rows of ' ~ quoted_list(lost[:5])
            ~ (' and ' ~ (lost | length - 5) ~ ' more' if lost | length > 5 else '')
            ~ '; restore it, or ' ~ ('drop the table of ' ~ load.parent ~ ' too and ' if load.parent else '')
            ~ 'land each of these batches again: python -m loaders.status replay ' ~ load.source_table ~ ' ' ~ lost[0]
        ) -%}
    {%- elif loaded | length > 0 -%}
        {%- do run_statement(
            'update ' ~ state_table('etl_batches') ~ " set status = 'superseded', reason = 'loaded into a table that is gone'"
            ~ ' where source_table = ' ~ source_table ~ " and status = 'loaded'"
        ) -%}
    {%- endif -%}
{%- endmacro %}

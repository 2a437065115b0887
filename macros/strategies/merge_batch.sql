{#-
  bronze_merge: new keys are inserted, keys with another hash updated but for the three first-seen columns; unchanged rows
  are never offered to the MERGE.
-#}
{% macro merge_batch(load, batch, moment, is_late) -%}
    {%- set changes = landing_name() ~ '_changes' -%}
    {%- do run_statement(collect_changes(load, batch, moment, is_late)) -%}
    {%- set counted = run_query(
        'select count(*), coalesce(sum(case when is__new then 1 else 0 end), 0) from ' ~ changes
    ).rows[0] -%}
    {%- if counted[0] | int > 0 -%}
        {%- do count_rows(changes) -%}
        {%- do adapter.dispatch('merge_changes', 'hotelmind_warehouse')(load, changes) -%}
    {%- endif -%}
    {{ return({
        'landed': batch.row_count,
        'inserted': counted[1] | int,
        'updated': counted[0] | int - counted[1] | int,
        'unchanged': batch.row_count - counted[0] | int,
        'deleted': 0,
    }) }}
{%- endmacro %}

{% macro default__merge_changes(load, changes) -%}
    {%- set columns = load_columns(load) + load.kept_columns -%}
    {%- set sets = [] -%}
    {%- for column in load.columns + ['record_hash', 'update_date'] -%}
        {%- do sets.append(column ~ ' = changes.' ~ column) -%}
    {%- endfor -%}
    {%- do run_statement(
        'merge into ' ~ load.target ~ ' as target using ' ~ changes ~ ' as changes'
        ~ ' on target.record_key = changes.record_key'
        ~ ' when matched then update set ' ~ sets | join(', ')
        ~ ' when not matched then insert (' ~ columns | join(', ') ~ ')'
        ~ ' values (changes.' ~ columns | join(', changes.') ~ ')'
    ) -%}
{%- endmacro %}

{#-
  The same rows as the MERGE leaves. DuckDB stores a column at a time: its MERGE of a few changed rows with many columns
  rewrites most of the table, at over ten times the cost.
-#}
{% macro duckdb__merge_changes(load, changes) -%}
    {%- set columns = (load_columns(load) + load.kept_columns) | join(', ') -%}
    {%- do run_statement(
        'delete from ' ~ load.target ~ ' as target using ' ~ changes ~ ' as changes'
        ~ ' where target.record_key = changes.record_key'
    ) -%}
    {%- do run_statement(
        'insert into ' ~ load.target ~ ' (' ~ columns ~ ') select ' ~ columns ~ ' from ' ~ changes
    ) -%}
{%- endmacro %}

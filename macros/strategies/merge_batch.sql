{#-
  bronze_merge: new keys are inserted, keys with another hash updated but for the three first-seen columns; unchanged rows
  are never offered to the MERGE.
-#}
{% macro merge_batch(load, batch, moment, is_late) -%}
    {%- set changes = landing_name() ~ '_changes' -%}
    {%- do run_statement(collect_changes(load, batch, moment, is_late)) -%}
    {%- set counted = run_query(
        'select count(*), coalesce(sum(case when is_new then 1 else 0 end), 0) from ' ~ changes
    ).rows[0] -%}
    {%- set sets = [] -%}
    {%- for column in load.columns + ['record_hash', 'update_date'] -%}
        {%- do sets.append(column ~ ' = changes.' ~ column) -%}
    {%- endfor -%}
    {%- set columns = load_columns(load) -%}
    {%- if counted[0] | int > 0 -%}
        {%- do run_statement(
            'merge into ' ~ load.target ~ ' as target using ' ~ changes ~ ' as changes'
            ~ ' on target.record_key = changes.record_key'
            ~ ' when matched then update set ' ~ sets | join(', ')
            ~ ' when not matched then insert (' ~ columns | join(', ') ~ ')'
            ~ ' values (changes.' ~ columns | join(', changes.') ~ ')'
        ) -%}
    {%- endif -%}
    {{ return({
        'landed': batch.row_count,
        'inserted': counted[1] | int,
        'updated': counted[0] | int - counted[1] | int,
        'unchanged': batch.row_count - counted[0] | int,
        'deleted': 0,
    }) }}
{%- endmacro %}

{#-
  Refuses a batch that lost a column or may not bring one; then sets load.columns (what the batch brings to the table),
  load.added_columns (new among them), load.kept_columns (the table's others, whose stored values stay) and
  load.stored_columns (optional ones among those). Nothing is changed in the warehouse.
-#}
{% macro check_columns(load, batch) -%}
    {%- set selected = get_columns_in_query(load.sql) | map('lower') | list -%}
    {%- if 'record_number' not in selected -%}
        {%- do exceptions.raise_compiler_error(
            model.name ~ ": keep the column record_number; a bronze model is select * from {{ landed(...) }}"
        ) -%}
    {%- endif -%}
    {%- set present = selected | reject('equalto', 'record_number') | list if batch.columns else [] -%}
    {%- set stored = load.stored -%}
    {%- set previous = previous_columns(load) -%}
    {#- The first delivery decides the columns; only what comes after it can be a change. -#}
    {%- set policy = load.on_schema_change if previous else 'append_new_columns' -%}
    {%- set lost = previous | reject('in', present) | reject('in', load.optional_columns) | select('in', stored) | list -%}
    {%- set named = load.record_key + ([load.order_by.column] if load.order_by else []) -%}
    {%- set unknown = named | reject('in', present) | list -%}
    {%- set added = present | reject('in', stored) | list -%}
    {%- if batch.columns and unknown -%}
        {%- do refuse_batch(batch, 'no column ' ~ quoted_list(unknown) ~ ', which record_key or order_by names; it has '
            ~ quoted_list(present)) -%}
    {%- elif batch.row_count > 0 and lost -%}
        {%- do refuse_batch(batch, 'column ' ~ quoted_list(lost) ~ ' is gone, the last delivery had it; have the source'
            ~ ' corrected, or list it under optional_columns in ' ~ model.original_file_path) -%}
    {%- elif added and policy == 'fail' -%}
        {%- do refuse_batch(batch, 'column ' ~ quoted_list(added) ~ ' is new, and on_schema_change is fail') -%}
    {%- endif -%}
    {%- set kept = present | select('in', stored) | list if policy == 'ignore' else present -%}
    {%- set absent = stored | reject('in', kept) | reject('in', load_columns({'columns': []})) | list -%}
    {%- do load.update({
        'columns': kept,
        'added_columns': added | select('in', kept) | list,
        'kept_columns': absent,
        'stored_columns': absent | select('in', load.optional_columns) | list,
    }) -%}
    {%- if previous and load.added_columns -%}
        {%- do log(model.name ~ ': new columns: ' ~ load.added_columns | join(', '), info=true) -%}
    {%- endif -%}
    {%- set never = load.source_columns | reject('in', present) | list -%}
    {%- if batch.columns and not previous and never -%}
        {%- do log(model.name ~ ': described but not delivered: ' ~ never | join(', '), info=true) -%}
    {%- endif -%}
{%- endmacro %}

{#-
  The narrow relation a load decides with: each record's number, key and hash. The rows themselves stay where they are
  until it is known which of them are wanted.
-#}
{% macro stage_keys(load, batch) -%}
    {%- set number = 'cast(record_number as varchar)' -%}
    {#- A delivery without a header has no record either: no column to make a key of, and none to make. -#}
    {%- set parts = load.record_key if batch.columns else [] -%}
    {%- set key = record_key(parts, load.use_hash) if parts else text_literal(batch.batch_id ~ '|') ~ ' || ' ~ number -%}
    {%- set blank = [] -%}
    {%- for column in parts -%}
        {%- do blank.append(is_blank(column)) -%}
    {%- endfor -%}
    {%- set columns = [
        'record_number',
        key ~ ' as record_key',
        record_hash(load.columns) ~ ' as record_hash',
        (blank | join(' or ') or 'false') ~ ' as is_blank',
    ] -%}
    {%- if load.order_by -%}
        {%- set order = load.order_by.column if batch.columns else 'cast(null as varchar)' -%}
        {%- do columns.append(order ~ ' as order_text') -%}
        {%- do columns.append(cast_or_null(order, load.order_by.type) ~ ' as order_value') -%}
    {%- endif -%}
    {%- do run_statement(
        'create temporary table ' ~ landing_name() ~ '_keys as select ' ~ columns | join(', ')
        ~ ' from (' ~ load.sql ~ ') as landed'
    ) -%}
    {%- do count_rows(landing_name() ~ '_keys') -%}
{%- endmacro %}

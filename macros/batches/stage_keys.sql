{#-
  The narrow relation a load decides with: each record's number, key and hash. The rows themselves stay where they are
  until it is known which of them are wanted.
-#}
{% macro stage_keys(load, batch) -%}
    {%- set number = 'cast(record_number as varchar)' -%}
    {%- set key = record_key(load.record_key, load.use_hash) if load.record_key
        else text_literal(batch.batch_id ~ '|') ~ ' || ' ~ number -%}
    {%- set blank = [] -%}
    {%- for column in load.record_key -%}
        {%- do blank.append(is_blank(column)) -%}
    {%- endfor -%}
    {%- set columns = [
        'record_number',
        key ~ ' as record_key',
        record_hash(load.columns) ~ ' as record_hash',
        (blank | join(' or ') or 'false') ~ ' as is_blank',
    ] -%}
    {%- if load.order_by -%}
        {%- do columns.append(load.order_by.column ~ ' as order_text') -%}
        {%- do columns.append(cast_or_null(load.order_by.column, load.order_by.type) ~ ' as order_value') -%}
    {%- endif -%}
    {%- do run_statement('drop table if exists ' ~ landing_name() ~ '_keys') -%}
    {%- do run_statement(
        'create temporary table ' ~ landing_name() ~ '_keys as select ' ~ columns | join(', ')
        ~ ' from (' ~ load.sql ~ ') as landed'
    ) -%}
{%- endmacro %}

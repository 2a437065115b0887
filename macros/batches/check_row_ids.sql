{#-
  Refuses a nested root whose key stands in the table with another row id: a key of another kind (1 and "1") has one text,
  and two ids. The children under the id that was would stay for ever.
-#}
{% macro check_row_ids(load, batch) -%}
    {%- if load.is_nested and 'row_id' in load.columns and 'row_id' in load.stored -%}
        {%- set changed = run_query(
            'select landed.record_number, stored.record_key from (' ~ load.sql ~ ') as landed inner join ' ~ landing_name()
            ~ '_keys as record on landed.record_number = record.record_number inner join ' ~ load.target
            ~ ' as stored on stored.record_key = record.record_key where stored.row_id <> landed.row_id'
            ~ ' order by 1 limit 1'
        ).rows -%}
        {%- if changed | length > 0 -%}
            {%- do refuse_batch(batch, "key '" ~ changed[0][1] ~ "' of record " ~ changed[0][0] | int ~ ' was of another'
                ~ ' kind before, a number or a text; have the source corrected') -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

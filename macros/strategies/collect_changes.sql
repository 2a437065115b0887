{#-
  The records whose key is new or whose hash is distinct from the stored one. Keys and hashes are compared first, narrow;
  only what is left is read in full. An absent optional column enters the hash with its stored value.
-#}
{% macro collect_changes(load, batch, moment, is_late) -%}
    {%- set stored_hash = 'record.record_hash' -%}
    {%- if load.stored_columns -%}
        {%- set prefixes = {} -%}
        {%- for column in load.columns -%}
            {%- do prefixes.update({column: 'landed.'}) -%}
        {%- endfor -%}
        {%- for column in load.stored_columns -%}
            {%- do prefixes.update({column: 'stored.'}) -%}
        {%- endfor -%}
        {%- set stored_hash = record_hash(load.columns + load.stored_columns, prefixes) -%}
    {%- endif -%}
    {%- set compares_rows = load.stored_columns or is_late -%}
    {%- set is_newer = '' -%}
    {%- if is_late -%}
        {#- Read before rows that are loaded: it may add keys, and update only what its own cursor shows to be newer. -#}
        {%- set is_newer = ' and ' ~ cast_or_null('landed.' ~ load.cursor, 'timestamptz') ~ ' > '
            ~ cast_or_null('stored.' ~ load.cursor, 'timestamptz') -%}
    {%- endif -%}
    {%- set different = 'stored.record_key is null or (stored.record_hash is distinct from '
        ~ (stored_hash if compares_rows else 'record.record_hash') ~ is_newer ~ ')' -%}
    {%- set stored = ' left join ' ~ load.target ~ ' as stored on stored.record_key = record.record_key' -%}
    {%- set rows = ' inner join (' ~ load.sql ~ ') as landed on landed.record_number = record.record_number' -%}
    {%- if compares_rows -%}
        {%- set source = records_to_load(load) ~ ' as record' ~ stored ~ rows ~ ' where ' ~ different -%}
        {%- set is_new = 'stored.record_key is null' -%}
    {%- else -%}
        {%- set source = '(select record.*, stored.record_key is null as is_new from ' ~ records_to_load(load)
            ~ ' as record' ~ stored ~ ' where ' ~ different ~ ') as record' ~ rows -%}
        {%- set is_new = 'record.is_new' -%}
    {%- endif -%}
    {{ return(
        'insert into ' ~ landing_name() ~ '_changes (' ~ load_columns(load) | join(', ') ~ ', is_new) select '
        ~ insert_values(load, batch, moment, stored_hash) | join(', ') ~ ', ' ~ is_new ~ ' from ' ~ source
    ) }}
{%- endmacro %}

{#-
  The rows that bronze_merge writes, as they will stand in the target: those whose key is new, and those whose hash is
  distinct from the stored one, with what stays of the stored row (the three first-seen columns, and columns the batch
  lacks). Keys and hashes are compared first, narrow; only what is left is read in full.
-#}
{% macro collect_changes(load, batch, moment, is_late) -%}
    {%- set kept = ['batch_id', 'pipeline_run_id', 'date_to_warehouse'] + load.kept_columns -%}
    {%- set rows = ' inner join (' ~ load.sql ~ ') as landed on landed.record_number = record.record_number' -%}
    {%- set values = [] -%}
    {%- for column, value in zip(load_columns(load), insert_values(load, batch, moment)) -%}
        {%- do values.append(
            'case when record.is__new then ' ~ value ~ ' else record.' ~ column ~ ' end' if column in kept else value
        ) -%}
    {%- endfor -%}
    {%- for column in load.kept_columns -%}
        {%- do values.append('record.' ~ column) -%}
    {%- endfor -%}
    {{ return(
        'insert into ' ~ landing_name() ~ '_changes (' ~ (load_columns(load) + load.kept_columns) | join(', ')
        ~ ', is__new) select ' ~ values | join(', ') ~ ', record.is__new from ('
        ~ 'select record.record_key, ' ~ changed_hash(load) ~ ' as record_hash, record.record_number'
        ~ ', stored.record_key is null as is__new, stored.' ~ kept | join(', stored.')
        ~ ' from ' ~ records_to_load(load) ~ ' as record'
        ~ ' left join ' ~ load.target ~ ' as stored on stored.record_key = record.record_key'
        ~ (rows if is_late or load.stored_columns else '')
        ~ ' where stored.record_key is null or (stored.record_hash is distinct from ' ~ changed_hash(load)
        ~ (is_newer(load) if is_late else '') ~ ')) as record' ~ rows
    ) }}
{%- endmacro %}

{#- An optional column that the batch lacks enters the hash with its stored value: absent is not NULL. -#}
{% macro changed_hash(load) -%}
    {%- if not load.stored_columns -%}
        {{ return('record.record_hash') }}
    {%- endif -%}
    {%- set prefixes = {} -%}
    {%- for column in load.columns -%}
        {%- do prefixes.update({column: 'landed.'}) -%}
    {%- endfor -%}
    {%- for column in load.stored_columns -%}
        {%- do prefixes.update({column: 'stored.'}) -%}
    {%- endfor -%}
    {{ return(record_hash(load.columns + load.stored_columns, prefixes)) }}
{%- endmacro %}

{#- A batch read before rows that are loaded updates only what its own cursor shows to be newer. -#}
{% macro is_newer(load) -%}
    {{ return(
        ' and ' ~ cast_or_null('landed.' ~ load.cursor, 'timestamptz')
        ~ ' > ' ~ cast_or_null('stored.' ~ load.cursor, 'timestamptz')
    ) }}
{%- endmacro %}

{#-
  Makes the bronze table where it is missing: all text, plus the six load columns. Its columns are those the source's YAML
  describes, also ones described since it was made; what a batch brings beyond them is added when it comes. Sets
  load.stored, the columns that it has.
-#}
{% macro create_bronze_table(load) -%}
    {%- set existing = load_relation(load.target) -%}
    {%- if existing is not none and existing.type != 'table' -%}
        {%- do exceptions.raise_compiler_error(
            model.name ~ ': ' ~ existing ~ ' is a ' ~ existing.type ~ '; drop or rename it'
        ) -%}
    {%- elif existing is none -%}
        {%- do refuse_lost_rows(load) -%}
        {%- set columns = [] -%}
        {%- for column in ['record_key', 'record_hash'] + load.source_columns + ['batch_id', 'pipeline_run_id'] -%}
            {%- do columns.append(column ~ ' varchar') -%}
        {%- endfor -%}
        {%- do run_statement(
            'create table ' ~ load.target ~ ' (' ~ columns | join(', ')
            ~ ', date_to_warehouse timestamptz, update_date timestamptz)'
        ) -%}
        {%- do index_record_key(load) -%}
    {%- endif -%}
    {%- do load.update({'stored': table_columns(load)}) -%}
    {%- do add_columns(load, load.source_columns | reject('in', load.stored) | list) -%}
{%- endmacro %}

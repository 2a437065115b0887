{#-
  The session-temporary relation over one batch, its columns by name. A batch of zero rows may be stored nowhere: that of a
  child of a nested table which no object of the delivery has.
-#}
{% macro create_landing(load, batch, name=none) -%}
    {{ return(adapter.dispatch('create_landing', 'hotelmind_warehouse')(load, batch, name or landing_name())) }}
{%- endmacro %}

{% macro landing_query(batch, relation) -%}
    {{ return(
        'select cast(null as bigint) as record_number where false' if batch.location is none
        else 'select ' ~ (batch.columns + ['record_number']) | join(', ') ~ ' from ' ~ relation
    ) }}
{%- endmacro %}

{#- A view: the file is read where it lies, and only the columns and rows that a step needs. -#}
{% macro duckdb__create_landing(load, batch, name) -%}
    {%- if 'directory' not in load -%}
        {%- do load.update({'directory': run_query(
            "select parse_dirpath(path) from duckdb_databases() where database_name = current_database()"
        ).columns[0].values()[0]}) -%}
    {%- endif -%}
    {%- set path = text_literal((load.directory ~ '/' if load.directory else '') ~ batch.location) -%}
    {%- if batch.location and run_query('select 1 from glob(' ~ path ~ ')').rows | length == 0 -%}
        {%- do refuse_batch(batch, 'its file ' ~ path ~ ' is gone; restore the stage folder, or ask the source again') -%}
    {%- endif -%}
    {%- do run_statement(
        'create or replace temp view ' ~ name ~ ' as '
        ~ landing_query(batch, 'read_parquet(' ~ path ~ ', hive_partitioning = false)')
    ) -%}
{%- endmacro %}

{% macro postgres__create_landing(load, batch, name) -%}
    {%- if batch.location
        and run_query('select to_regclass(' ~ text_literal(batch.location) ~ ')').rows[0][0] is none -%}
        {%- do refuse_batch(batch, 'its table is gone; restore it, or ask the source again') -%}
    {%- endif -%}
    {%- do run_statement('create temporary view ' ~ name ~ ' as ' ~ landing_query(batch, batch.location)) -%}
{%- endmacro %}

{#-
  A table: there COPY is what reads a staged file, column by name. NULL_IF is documented to be \N by default, which is a
  value like any other to us; FORCE, since a file that was loaded once is passed over without it. COPY is no error where
  the file is gone: the rows are counted. An empty batch has none to copy.
-#}
{% macro snowflake__create_landing(load, batch, name) -%}
    {%- set columns = [] -%}
    {%- for column in batch.columns -%}
        {%- do columns.append(column ~ ' varchar') -%}
    {%- endfor -%}
    {%- do run_statement(
        'create or replace temporary table ' ~ name ~ ' ('
        ~ (columns + ['record_number bigint not null']) | join(', ') ~ ')'
    ) -%}
    {%- if batch.row_count > 0 -%}
        {%- do run_statement(
            'copy into ' ~ name ~ ' from @' ~ target.database ~ '.' ~ batch.location
            ~ ' file_format = (type = parquet null_if = ()) match_by_column_name = case_insensitive'
            ~ ' on_error = abort_statement force = true'
        ) -%}
        {%- set copied = run_query('select count(*) from ' ~ name).rows[0][0] | int -%}
        {%- if copied == 0 -%}
            {%- do refuse_batch(batch, 'its file is gone; restore it in the stage, or ask the source again') -%}
        {%- elif copied != batch.row_count -%}
            {%- do refuse_batch(batch, 'its file has ' ~ copied ~ ' rows, ' ~ batch.row_count ~ ' were landed; restore it'
                ~ ' in the stage, or ask the source again') -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#- The session-temporary relation over one batch, its columns by name. -#}
{% macro create_landing(batch) -%}
    {{ return(adapter.dispatch('create_landing', 'hotelmind_warehouse')(batch)) }}
{%- endmacro %}

{#- A view: the file is read where it lies, and only the columns and rows that a step needs. -#}
{% macro duckdb__create_landing(batch) -%}
    {%- set directory = run_query(
        "select parse_dirpath(path) from duckdb_databases() where database_name = current_database()"
    ).columns[0].values()[0] -%}
    {%- set path = text_literal((directory ~ '/' if directory else '') ~ batch.location) -%}
    {%- if run_query('select 1 from glob(' ~ path ~ ')').rows | length == 0 -%}
        {%- do refuse_batch(batch, 'its file ' ~ path ~ ' is gone; restore the stage folder, or ask the source again') -%}
    {%- endif -%}
    {%- do run_statement(
        'create or replace temp view ' ~ landing_name() ~ ' as select '
        ~ (batch.columns + ['record_number']) | join(', ') ~ ' from read_parquet(' ~ path ~ ')'
    ) -%}
{%- endmacro %}

{% macro postgres__create_landing(batch) -%}
    {%- if run_query('select to_regclass(' ~ text_literal(batch.location) ~ ')').rows[0][0] is none -%}
        {%- do refuse_batch(batch, 'its table is gone; restore it, or ask the source again') -%}
    {%- endif -%}
    {%- do run_statement('drop view if exists ' ~ landing_name()) -%}
    {%- do run_statement(
        'create temporary view ' ~ landing_name() ~ ' as select ' ~ (batch.columns + ['record_number']) | join(', ')
        ~ ' from ' ~ batch.location
    ) -%}
{%- endmacro %}

{#-
  The two state tables, the only state there is. Plain Jinja: dbt runs it on run start and the loaders render this very
  file, so that the tables are written down once.
-#}
{% macro state_tables(schema) -%}
create table if not exists {{ schema }}.etl_watermarks (
    table_name varchar not null primary key,
    last_extracted timestamptz,
    last_run_at timestamptz,
    rows_extracted bigint
);

create table if not exists {{ schema }}.etl_batches (
    source_table varchar not null,
    batch_id varchar not null,
    pipeline_run_id varchar not null,
    status varchar not null,
    reason varchar,
    location varchar,
    columns varchar,
    row_count bigint,
    byte_count bigint,
    sha256 varchar,
    low timestamptz,
    high timestamptz,
    window_start date,
    window_end date,
    extracted_at timestamptz not null,
    landed_at timestamptz,
    loaded_at timestamptz,
    rows_inserted bigint,
    rows_updated bigint,
    rows_unchanged bigint,
    rows_deleted bigint,
    primary key (source_table, batch_id, pipeline_run_id)
);
{%- endmacro %}

{#-
  Sets the watermark of one source table or incremental model, from the command line:
  dbt run-operation set_watermark --args '{table_name: operational.hotels, moment: "2026-01-01"}'
  A row that is missing is made; the moment null resets, so that everything is read again. A moment without an offset is UTC.
-#}
{% macro set_watermark(table_name, moment) -%}
    {%- set text = watermark_moment(moment) -%}
    {%- do check_watermark_name(table_name) -%}
    {%- do create_state_tables() -%}
    {%- set value = 'cast(null as timestamptz)' if text is none else moment_literal(text) -%}
    {%- do begin_load() -%}
    {%- do run_statement(
        'merge into ' ~ state_table('etl_watermarks') ~ ' as mark using (select ' ~ text_literal(table_name)
        ~ ' as table_name, ' ~ value ~ ' as moment) as given on mark.table_name = given.table_name'
        ~ ' when matched then update set last_extracted = given.moment'
        ~ ' when not matched then insert (table_name, last_extracted) values (given.table_name, given.moment)'
    ) -%}
    {%- do commit_load() -%}
    {%- do log('watermark of ' ~ table_name ~ ': ' ~ (text or 'none, everything is read again'), info=true) -%}
{%- endmacro %}

{#- The moment as text with an offset, or none for a reset; refuses what is no moment, before anything is changed. -#}
{% macro watermark_moment(moment) -%}
    {%- if moment is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set text = moment | string | trim -%}
    {%- set day = '[0-9]{4}-[0-9]{2}-[0-9]{2}' -%}
    {%- set clock = '[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?' -%}
    {%- set offset = '(Z|[+-][0-9]{2}(:?[0-9]{2})?)' -%}
    {%- set zoned = text if modules.re.fullmatch(day ~ clock ~ offset, text)
        else (text ~ 'Z' if modules.re.fullmatch(day ~ clock, text) else text ~ 'T00:00:00Z') -%}
    {#- `offset 0`: PostgreSQL would cast a constant before it asks whether it can be cast. -#}
    {%- if moment is undefined or not modules.re.fullmatch(day ~ clock ~ offset, zoned) or run_query(
        'select ' ~ cast_or_null('given.text', 'timestamptz') ~ ' from (select ' ~ text_literal(zoned)
        ~ ' as text limit 1 offset 0) as given'
    ).columns[0].values()[0] is none -%}
        {%- do exceptions.raise_compiler_error(
            "set_watermark: moment is '" ~ text ~ "', expected one such as 2026-01-01 or 2026-01-01T06:00:00Z, or null"
        ) -%}
    {%- endif -%}
    {{ return(zoned) }}
{%- endmacro %}

{% macro check_watermark_name(table_name) -%}
    {%- set known = [] -%}
    {%- for source in graph.sources.values() -%}
        {%- do known.append(source.source_name ~ '.' ~ source.name) -%}
    {%- endfor -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' and node.config.materialized == 'incremental' -%}
        {%- do known.append(node.alias) -%}
    {%- endfor -%}
    {%- if table_name not in known -%}
        {%- do exceptions.raise_compiler_error(
            "set_watermark: no watermark is called '" ~ table_name ~ "'; there are: " ~ known | sort | join(', ')
        ) -%}
    {%- endif -%}
{%- endmacro %}

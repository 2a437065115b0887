{#-
  The moment a batch is stamped with, one value for all its rows, as a literal: the warehouse's clock, read after the
  fence, and never before the source's last load, so that a reader by UPDATE_DATE misses nothing when a clock goes back.
-#}
{% macro load_moment(load) -%}
    {%- set clock = warehouse_clock() -%}
    {%- set moment = run_query(
        'select ' ~ moment_text('greatest(' ~ clock ~ ', coalesce(max(loaded_at), ' ~ clock ~ '))') ~ ' from '
        ~ state_table('etl_batches') ~ ' where source_table = ' ~ text_literal(load.source_table)
    ).columns[0].values()[0] -%}
    {{ return(moment_literal(moment)) }}
{%- endmacro %}

{#-
  The moment a batch is stamped with, one value for all its rows, as a literal: the warehouse's clock, read after the
  fence, and never before the source's last load, so that a reader by UPDATE_DATE misses nothing when a clock goes back.
-#}
{% macro load_moment(load) -%}
    {%- set clock = adapter.dispatch('warehouse_clock', 'hotelmind_warehouse')() -%}
    {%- set moment = run_query(
        'select cast(greatest(' ~ clock ~ ', coalesce(max(loaded_at), ' ~ clock ~ ')) as varchar) from '
        ~ state_table('etl_batches') ~ ' where source_table = ' ~ text_literal(load.source_table)
    ).columns[0].values()[0] -%}
    {{ return(moment_literal(moment)) }}
{%- endmacro %}

{% macro default__warehouse_clock() -%}
    {{ return('current_timestamp') }}
{%- endmacro %}

{#- The others stand still within a transaction, and ours may have waited at the fence. -#}
{% macro postgres__warehouse_clock() -%}
    {{ return('clock_timestamp()') }}
{%- endmacro %}

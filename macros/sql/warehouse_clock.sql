{#- Expression of the warehouse's own clock, now. -#}
{% macro warehouse_clock() -%}
    {{ return(adapter.dispatch('warehouse_clock', 'hotelmind_warehouse')()) }}
{%- endmacro %}

{% macro default__warehouse_clock() -%}
    {{ return('current_timestamp') }}
{%- endmacro %}

{#- The others stand still within a transaction, and ours may have waited at the fence. -#}
{% macro postgres__warehouse_clock() -%}
    {{ return('clock_timestamp()') }}
{%- endmacro %}

{#- A moment keeps its offset there; ours have the same one, whatever the session's zone. -#}
{% macro snowflake__warehouse_clock() -%}
    {{ return("convert_timezone('UTC', current_timestamp())") }}
{%- endmacro %}

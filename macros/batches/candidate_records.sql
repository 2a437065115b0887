{#- The records that may be loaded: all, or under order_by those that stand highest for their key. -#}
{% macro candidate_records(load) -%}
    {%- set keys = landing_name() ~ '_keys' -%}
    {%- if not load.order_by -%}
        {{ return(keys) }}
    {%- endif -%}
    {{ return(
        '(select k.* from ' ~ keys ~ ' as k inner join (select record_key, max(order_value) as order_value from ' ~ keys
        ~ ' group by record_key) as highest on k.record_key = highest.record_key'
        ~ ' and k.order_value is not distinct from highest.order_value) as candidates'
    ) }}
{%- endmacro %}

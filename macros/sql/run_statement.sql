{#- Sends one statement as it is. dbt must not begin a transaction of its own around it: the transactions are ours. -#}
{% macro run_statement(sql) -%}
    {%- call statement(auto_begin=false) -%}
        {{ sql }}
    {%- endcall -%}
{%- endmacro %}

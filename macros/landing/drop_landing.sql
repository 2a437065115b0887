{% macro drop_landing() -%}
    {%- do run_statement('drop table if exists ' ~ landing_name() ~ '_changes') -%}
    {%- do run_statement('drop table if exists ' ~ landing_name() ~ '_keys') -%}
    {%- do adapter.dispatch('drop_landing_relation', 'hotelmind_warehouse')() -%}
{%- endmacro %}

{% macro default__drop_landing_relation() -%}
    {%- do run_statement('drop view if exists ' ~ landing_name()) -%}
{%- endmacro %}

{% macro snowflake__drop_landing_relation() -%}
    {%- do run_statement('drop table if exists ' ~ landing_name()) -%}
{%- endmacro %}

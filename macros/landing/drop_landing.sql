{% macro drop_landing(load) -%}
    {%- do run_statement('drop table if exists ' ~ landing_name() ~ '_changes') -%}
    {%- do run_statement('drop table if exists ' ~ landing_name() ~ '_keys') -%}
    {%- for name in [landing_name()] + ([root_landing_name()] if load.parent else []) -%}
        {%- do adapter.dispatch('drop_landing_relation', 'hotelmind_warehouse')(name) -%}
    {%- endfor -%}
{%- endmacro %}

{% macro default__drop_landing_relation(name) -%}
    {%- do run_statement('drop view if exists ' ~ name) -%}
{%- endmacro %}

{% macro snowflake__drop_landing_relation(name) -%}
    {%- do run_statement('drop table if exists ' ~ name) -%}
{%- endmacro %}

{#- Adds text columns to the bronze table; before the transaction, since DDL ends one on Snowflake. -#}
{% macro add_columns(load, columns) -%}
    {%- for column in columns -%}
        {%- do run_statement('alter table ' ~ load.target ~ ' add column if not exists ' ~ column ~ ' varchar') -%}
        {%- do load.stored.append(column) -%}
    {%- endfor -%}
{%- endmacro %}

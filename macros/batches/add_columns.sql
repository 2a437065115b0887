{#- New columns of a batch that passed its checks; before the transaction, since DDL ends one on Snowflake. -#}
{% macro add_columns(load) -%}
    {%- for column in load.added_columns -%}
        {%- do run_statement('alter table ' ~ load.target ~ ' add column ' ~ column ~ ' varchar') -%}
    {%- endfor -%}
{%- endmacro %}

{#-
  RECORD_HASH v1: for every column in ascending order of its name, skipping NULLs, `name=<characters>:<value>;`, and the
  md5 of it all. Injective; neither column order nor a column of NULLs changes it. `prefixes` says which relation a
  column comes from, where they differ.
-#}
{% macro record_hash(columns, prefixes={}) -%}
    {%- set parts = [] -%}
    {%- for column in columns | sort -%}
        {%- set value = prefixes.get(column, '') ~ column -%}
        {%- do parts.append(
            "case when " ~ value ~ " is null then '' else concat('" ~ column ~ "=', length(" ~ value ~ "), ':', "
            ~ value ~ ", ';') end"
        ) -%}
    {%- endfor -%}
    {#- One concat is far cheaper than as many ||; PostgreSQL takes at most 100 arguments. -#}
    {%- set chunks = [] -%}
    {%- for chunk in parts | batch(90) -%}
        {%- do chunks.append('concat(' ~ chunk | join(', ') ~ ')') -%}
    {%- endfor -%}
    {{ return('md5(' ~ (chunks | join(' || ') or "''") ~ ')') }}
{%- endmacro %}

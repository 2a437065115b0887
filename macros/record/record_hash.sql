{#-
  RECORD_HASH v1: for every column in ascending order of its name, skipping NULLs, `name=<characters>:<value>;`, and the
  md5 of it all. Injective; neither column order nor a column of NULLs changes it. `prefixes` says which relation a
  column comes from, where they differ.
-#}
{% macro record_hash(columns, prefixes={}) -%}
    {%- set parts = [] -%}
    {%- for column in columns | sort -%}
        {%- set value = prefixes.get(column, '') ~ column -%}
        {%- do parts.append("coalesce('" ~ column ~ "=' || length(" ~ value ~ ") || ':' || " ~ value ~ " || ';', '')") -%}
    {%- endfor -%}
    {{ return('md5(' ~ (parts | join(' || ') or "''") ~ ')') }}
{%- endmacro %}

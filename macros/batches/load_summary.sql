{#- What a load did, as dbt's result line: `2 batches: 300000 landed, 9000 inserted, 15000 updated, 276000 unchanged`. -#}
{% macro load_summary(loaded) -%}
    {%- if not loaded -%}
        {{ return('nothing new') }}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- for name in ['landed', 'inserted', 'updated', 'unchanged', 'deleted'] -%}
        {%- set count = loaded | sum(attribute=name) -%}
        {%- do parts.append(count ~ ' ' ~ name) if count or name != 'deleted' -%}
    {%- endfor -%}
    {{ return((loaded | length) ~ (' batch' if loaded | length == 1 else ' batches') ~ ': ' ~ parts | join(', ')) }}
{%- endmacro %}

{#- The dbt source that a bronze model reads: the one and only node it depends on. -#}
{% macro source_of(bronze) -%}
    {%- set parents = bronze.depends_on.nodes -%}
    {%- set sources = graph.sources.values() | selectattr('unique_id', 'in', parents) | list -%}
    {%- if sources | length != 1 or parents | length != 1 -%}
        {%- do exceptions.raise_compiler_error(
            bronze.name ~ ": a bronze model reads exactly one source, by landed('source', 'table'), and nothing else"
        ) -%}
    {%- endif -%}
    {{ return(sources[0]) }}
{%- endmacro %}

{#- The dbt source that a bronze model reads. Beside it a child of a nested table names its root's model, and nothing else. -#}
{% macro source_of(bronze) -%}
    {%- set parents = bronze.depends_on.nodes -%}
    {%- set sources = graph.sources.values() | selectattr('unique_id', 'in', parents) | list -%}
    {%- if sources | length != 1 or parents | length > (2 if parent_of(bronze) else 1) -%}
        {%- do exceptions.raise_compiler_error(
            bronze.name ~ ": a bronze model reads exactly one source, by landed('source', 'table'), and nothing else"
        ) -%}
    {%- endif -%}
    {{ return(sources[0]) }}
{%- endmacro %}

{#- The root's model of a nested child, as `parent` of landed() names it; none for any other model. -#}
{% macro parent_of(bronze) -%}
    {{ return(graph.nodes.values() | selectattr('unique_id', 'in', bronze.depends_on.nodes) | first) }}
{%- endmacro %}

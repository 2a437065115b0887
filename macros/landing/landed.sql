{#-
  The rows of the batch that is being loaded. It registers the dbt source, for lineage, docs and freshness, and for a child
  of a nested table its root's model, which is loaded first. Only a run has a batch: elsewhere (compile, show, docs) it is
  the bronze table itself, where that exists.
-#}
{% macro landed(source_name, table_name, parent=none) -%}
    {%- do source(source_name, table_name) -%}
    {%- do ref(parent) if parent -%}
    {%- if execute and flags.WHICH not in ('run', 'build') and load_relation(this) is not none -%}
        {{ return(this) }}
    {%- endif -%}
    {{ return(landing_name()) }}
{%- endmacro %}

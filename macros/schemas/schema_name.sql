{#- The schema that holds `name`; the loaders have the same rule (Target.schema_name in loaders/settings.py). -#}
{% macro schema_name(name) -%}
    {{ return(name if target.schema == 'hotelmind_warehouse' else target.schema ~ '_' ~ name) }}
{%- endmacro %}

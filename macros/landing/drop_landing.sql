{% macro drop_landing(load) -%}
    {%- for name in ['_keys'] + (['_changes'] if load.strategy == 'bronze_merge' else []) -%}
        {%- do run_statement('drop table if exists ' ~ landing_name() ~ name) -%}
    {%- endfor -%}
    {%- for name in [landing_name()] + ([root_landing_name()] if load.parent else []) -%}
        {%- do adapter.dispatch('drop_landing_relation', 'hotelmind_warehouse')(name) -%}
    {%- endfor -%}
{%- endmacro %}

{% macro default__drop_landing_relation(name) -%}
    {%- do run_statement('drop table if exists ' ~ name) -%}
{%- endmacro %}

{#- A view, that the next batch replaces; it ends with the model's own connection. -#}
{% macro duckdb__drop_landing_relation(name) -%}
{%- endmacro %}

{#- A view: while it stands, the stored batch below it could not be pruned. -#}
{% macro postgres__drop_landing_relation(name) -%}
    {%- do run_statement('drop view if exists ' ~ name) -%}
{%- endmacro %}

{#- The landing relation of this model in this run; short, since PostgreSQL cuts long names in silence. -#}
{% macro landing_name() -%}
    {{ return(adapter.dispatch('landing_name', 'hotelmind_warehouse')(
        'landing_' ~ local_md5(invocation_id ~ model.unique_id)[:12]
    )) }}
{%- endmacro %}

{% macro default__landing_name(name) -%}
    {{ return(name) }}
{%- endmacro %}

{#- A temporary table there lies in a schema, and the session need not be in one: the target's own may not exist. -#}
{% macro snowflake__landing_name(name) -%}
    {{ return(state_table(name) | string) }}
{%- endmacro %}

{#- Beside the landing of a nested child: its root's batch, of which the child's load needs to know the rows. -#}
{% macro create_root_landing(load) -%}
    {%- do create_landing(load, load.root, root_landing_name()) -%}
{%- endmacro %}

{% macro root_landing_name() -%}
    {{ return(landing_name() ~ '_root') }}
{%- endmacro %}

{#- A bronze model's own hooks; outside the load's transactions, which dbt's run_hooks would open and close. -#}
{% macro run_load_hooks(hooks) -%}
    {%- for hook in hooks -%}
        {%- set sql = render(hook.sql) | trim -%}
        {%- if sql -%}
            {%- do run_statement(sql) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{#- Refuses a target whose settings would break a promise, before anything is changed. -#}
{% macro check_target() -%}
    {%- if not modules.re.fullmatch('[a-z_][a-z0-9_]*', target.schema) -%}
        {%- do exceptions.raise_compiler_error(
            "target '" ~ target.name ~ "': schema is '" ~ target.schema ~ "', expected a lower-case name of letters, digits"
            ~ ' and _: every schema begins with it, and dbt and the loaders have to mean the same one'
        ) -%}
    {%- endif -%}
    {%- do adapter.dispatch('check_target', 'hotelmind_warehouse')() -%}
{%- endmacro %}

{% macro default__check_target() -%}
{%- endmacro %}

{#-
  dbt-snowflake sends no ROLLBACK for a failed model, and by default hands its session to the next one, whose first DDL
  would commit what the failed one left half done (documented: DDL commits the open transaction first).
-#}
{% macro snowflake__check_target() -%}
    {%- if target.reuse_connections is not sameas false -%}
        {%- do exceptions.raise_compiler_error(
            "target '" ~ target.name ~ "': set reuse_connections: false in profiles.yml; otherwise a model that fails in"
            ~ ' the middle of a transaction leaves it open in a session that the next model goes on with, and whose first'
            ~ ' DDL would commit the half'
        ) -%}
    {%- endif -%}
{%- endmacro %}

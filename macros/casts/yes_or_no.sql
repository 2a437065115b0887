{#- PostgreSQL prints booleans as t and f. -#}
{% macro yes_or_no(text) -%}
    {{ return("case when lower(" ~ text ~ ") in ('t', 'true') then true"
        ~ " when lower(" ~ text ~ ") in ('f', 'false') then false end") }}
{%- endmacro %}

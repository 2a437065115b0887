{#- PostgreSQL prints booleans as t and f, JSON as true and false, and some reports as Yes and No, or Y and N. -#}
{% macro yes_or_no(text) -%}
    {{ return("case when lower(" ~ text ~ ") in ('t', 'true', 'y', 'yes') then true"
        ~ " when lower(" ~ text ~ ") in ('f', 'false', 'n', 'no') then false end") }}
{%- endmacro %}

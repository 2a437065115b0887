{#- One record a key: identical ones collapse to the first of them. Only for checked batches. -#}
{% macro records_to_load(load) -%}
    {{ return(
        '(select record_key, min(record_hash) as record_hash, min(record_number) as record_number from '
        ~ candidate_records(load) ~ ' group by record_key)'
    ) }}
{%- endmacro %}

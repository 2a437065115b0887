{#- The columns of the last loaded batch that had rows, or none before the first: an empty delivery may lack some. -#}
{% macro previous_columns(load) -%}
    {%- set found = run_query(
        'select columns from ' ~ state_table('etl_batches')
        ~ ' where source_table = ' ~ text_literal(load.source_table)
        ~ " and status = 'loaded' and columns is not null and row_count > 0"
        ~ ' order by loaded_at desc, extracted_at desc limit 1'
    ) -%}
    {{ return(fromjson(found.rows[0][0]) | map(attribute='name') | list if found.rows | length else []) }}
{%- endmacro %}

{#- The landed batches of a source table, in the order in which they were read from the source. -#}
{% macro pending_batches(load) -%}
    {%- set found = run_query(
        'select batch_id, pipeline_run_id, location, columns, row_count from ' ~ state_table('etl_batches')
        ~ ' where source_table = ' ~ text_literal(load.source_table) ~ " and status = 'landed'"
        ~ ' order by extracted_at, landed_at, batch_id'
    ) -%}
    {%- set batches = [] -%}
    {%- for row in found.rows -%}
        {%- do batches.append({
            'source_table': load.source_table,
            'batch_id': row[0],
            'pipeline_run_id': row[1],
            'location': row[2],
            'columns': fromjson(row[3] or '[]') | map(attribute='name') | list,
            'row_count': row[4] | int,
        }) -%}
    {%- endfor -%}
    {{ return(batches) }}
{%- endmacro %}

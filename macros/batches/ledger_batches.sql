{#- The batches of a source table for which a condition on the ledger holds, in the order in which they were read. -#}
{% macro ledger_batches(source_table, condition) -%}
    {%- set found = run_query(
        'select batch_id, pipeline_run_id, location, columns, row_count from ' ~ state_table('etl_batches')
        ~ ' where source_table = ' ~ text_literal(source_table) ~ ' and ' ~ condition
        ~ ' order by extracted_at, landed_at, batch_id'
    ) -%}
    {%- set batches = [] -%}
    {%- for row in found.rows -%}
        {%- do batches.append({
            'source_table': source_table,
            'batch_id': row[0],
            'pipeline_run_id': row[1],
            'location': row[2],
            'columns': fromjson(row[3] or '[]') | map(attribute='name') | list,
            'row_count': row[4] | int,
        }) -%}
    {%- endfor -%}
    {{ return(batches) }}
{%- endmacro %}

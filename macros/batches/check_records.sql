{#- Refuses a batch whose records cannot be told apart: a missing key, or one key with two contents. -#}
{% macro check_records(load, batch) -%}
    {%- set keys = landing_name() ~ '_keys' -%}
    {%- set found = run_query('select count(*) from ' ~ keys).rows[0][0] | int -%}
    {%- if found != batch.row_count -%}
        {%- do refuse_batch(batch, found ~ ' records are read of ' ~ batch.row_count
            ~ '; a bronze model keeps every record, and the stored batch must be as it was landed') -%}
    {%- endif -%}
    {%- set blank = run_query(
        'select record_number, record_number + 1, count(*) over () from ' ~ keys
        ~ ' where is_blank order by record_number limit 5'
    ) -%}
    {%- if blank.rows | length > 0 -%}
        {%- do refuse_batch(
            batch, load.record_key | join(', ') ~ ' is NULL, empty or blank in ' ~ blank.rows[0][2] | int
            ~ ' of ' ~ batch.row_count ~ ' records: record ' ~ blank.columns[0].values() | map('int') | join(', ')
            ~ ' (line ' ~ blank.columns[1].values() | map('int') | join(', ') ~ ' while no value spans lines)'
            ~ '; have the source corrected and load again'
        ) -%}
    {%- endif -%}
    {%- if load.order_by -%}
        {%- do check_order_values(load, batch) -%}
    {%- endif -%}
    {%- do check_contents(load, batch) -%}
{%- endmacro %}

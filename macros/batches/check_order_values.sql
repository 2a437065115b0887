{% macro check_order_values(load, batch) -%}
    {%- set wrong = run_query(
        "select record_number, order_text from " ~ landing_name() ~ '_keys'
        ~ ' where order_text is not null and order_value is null order by record_number limit 1'
    ) -%}
    {%- if wrong.rows | length > 0 -%}
        {%- do refuse_batch(
            batch, 'order_by ' ~ load.order_by.column ~ ": '" ~ wrong.rows[0][1] ~ "' in record "
            ~ wrong.rows[0][0] | int ~ ' is no ' ~ load.order_by.type
        ) -%}
    {%- endif -%}
{%- endmacro %}

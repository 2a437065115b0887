{% macro check_contents(load, batch) -%}
    {%- set twice = run_query(
        "select '''' || record_key || '''', min(record_number), max(record_number), count(*) over () from "
        ~ candidate_records(load) ~ ' group by record_key having min(record_hash) <> max(record_hash)'
        ~ ' order by 2 limit 5'
    ) -%}
    {%- if twice.rows | length > 0 -%}
        {%- set keys = [] -%}
        {%- for row in twice.rows -%}
            {%- do keys.append(row[0] ~ ' (records ' ~ row[1] | int ~ ' and ' ~ row[2] | int ~ ')') -%}
        {%- endfor -%}
        {%- do refuse_batch(
            batch, twice.rows[0][3] | int ~ ' keys of ' ~ load.record_key | join(', ') ~ ' have two contents'
            ~ (' that tie on ' ~ load.order_by.column if load.order_by else '') ~ ': ' ~ keys | join(', ')
            ~ ('' if load.order_by else '; have the source corrected, or name the column that decides under order_by')
        ) -%}
    {%- endif -%}
{%- endmacro %}

{% macro replace_rows(load, batch, moment, condition) -%}
    {%- set deleted = run_query('select count(*) from ' ~ load.target ~ ' where ' ~ condition).rows[0][0] | int -%}
    {%- do run_statement('delete from ' ~ load.target ~ ' where ' ~ condition) -%}
    {%- set counts = insert_batch(load, batch, moment) -%}
    {%- do counts.update({'deleted': deleted}) -%}
    {{ return(counts) }}
{%- endmacro %}

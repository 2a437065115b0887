{% macro create_state_tables() -%}
    {%- if execute -%}
        {%- do check_target() -%}
        {%- do end_open_transaction() -%}
        {%- do create_batch_stage() -%}
        {%- set schema = state_table('etl_batches').without_identifier() -%}
        {%- do adapter.create_schema(schema) -%}
        {%- for statement in state_tables(schema).split(';') if statement.strip() -%}
            {%- do run_statement(statement) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{#- The stored watermark of this model as text, or none. -#}
{% macro watermark_text() -%}
    {%- if not execute or load_relation(state_table('etl_watermarks')) is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set found = run_query(
        'select ' ~ moment_text('last_extracted') ~ ' from ' ~ state_table('etl_watermarks')
        ~ ' where table_name = ' ~ text_literal(this.identifier)
    ) -%}
    {{ return(found.rows[0][0] if found.rows | length else none) }}
{%- endmacro %}

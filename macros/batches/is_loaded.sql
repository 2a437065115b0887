{#- True where an attempt at this very batch is loaded. -#}
{% macro is_loaded(batch) -%}
    {{ return(run_query(
        'select 1 from ' ~ state_table('etl_batches') ~ ' where source_table = ' ~ text_literal(batch.source_table)
        ~ ' and batch_id = ' ~ text_literal(batch.batch_id) ~ " and status = 'loaded' limit 1"
    ).rows | length > 0) }}
{%- endmacro %}

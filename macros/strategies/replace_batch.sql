{#- batch_replace: the rows of exactly this batch go, and its records come; other batches do not change. -#}
{% macro replace_batch(load, batch, moment, is_late) -%}
    {{ return(replace_rows(load, batch, moment, 'batch_id = ' ~ text_literal(batch.batch_id))) }}
{%- endmacro %}

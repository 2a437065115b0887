{#-
  batch_replace: the rows of exactly this batch go, and its records come; other batches do not change. Of a nested child
  the rows of every root in the root's batch go, so that what vanished from its parent vanishes, and nobody else's does.
-#}
{% macro replace_batch(load, batch, moment, is_late) -%}
    {#- The first packages may have no row of this child, and then the table has no such column yet. -#}
    {%- if load.parent and not (load.root.row_count and 'root_row_id' in load.stored) -%}
        {%- set condition = 'false' -%}
    {%- elif load.parent -%}
        {%- set condition = 'root_row_id in (select row_id from ' ~ root_landing_name() ~ ')' -%}
    {%- else -%}
        {%- set condition = 'batch_id = ' ~ text_literal(batch.batch_id) -%}
    {%- endif -%}
    {{ return(replace_rows(load, batch, moment, condition)) }}
{%- endmacro %}

{#- A strategy that replaces would empty the target over an empty delivery; that is a glitch until the model allows it. -#}
{% macro check_empty(load, batch) -%}
    {%- if batch.row_count == 0 and load.strategy in ['batch_replace', 'truncate_insert'] and not load.allow_empty
        and not load.parent -%}
        {%- set rows = ' where batch_id = ' ~ text_literal(batch.batch_id) if load.strategy == 'batch_replace' else '' -%}
        {%- if run_query('select 1 from ' ~ load.target ~ rows ~ ' limit 1').rows | length > 0 -%}
            {%- do refuse_batch(batch, 'an empty delivery would remove rows that are loaded; if it is right, set'
                ~ ' allow_empty: true under meta in ' ~ model.original_file_path) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#- Loads one batch; returns its counts, or none where it was set aside. -#}
{% macro load_batch(load, batch, apply) -%}
    {%- set later = later_loaded(load, batch) -%}
    {%- if load.strategy == 'append' and is_loaded(batch) -%}
        {%- do supersede_batch(batch, 'this batch is loaded already') -%}
        {{ return(none) }}
    {%- elif later == 'covered' and not load.cursor -%}
        {%- do supersede_batch(batch, 'its window was read again later, and that is loaded') -%}
        {{ return(none) }}
    {%- elif later == 'others' and not load.cursor -%}
        {%- do refuse_batch(batch, 'read before a batch that is loaded, and it is not known which rows are newer; ask'
            ~ ' for ' ~ batch.batch_id ~ ' again, and reject this batch') -%}
    {%- endif -%}

    {%- do load.update({'root': root_batch(load, batch) if load.parent else none}) -%}
    {%- if load.parent and not load.root and root_batch(load, batch, ['superseded', 'rejected']) -%}
        {%- do supersede_batch(batch, 'that of ' ~ load.parent ~ ' was set aside') -%}
        {{ return(none) }}
    {%- elif load.parent and not load.root -%}
        {%- do log(load.source_table ~ ' ' ~ batch.batch_id ~ ': waits until that of ' ~ load.parent ~ ' is loaded', info=true) -%}
        {{ return(none) }}
    {%- endif -%}

    {%- do create_landing(load, batch) -%}
    {%- do create_root_landing(load) if load.root -%}
    {%- do check_columns(load, batch) -%}
    {%- do check_empty(load, batch) -%}
    {%- do stage_keys(load, batch) -%}
    {%- do check_records(load, batch) -%}
    {%- do check_row_ids(load, batch) -%}
    {%- do add_columns(load, load.added_columns) -%}
    {%- do create_changes(load) -%}

    {%- do begin_load() -%}
    {%- do fence(load) -%}
    {%- set moment = load_moment(load) -%}
    {%- set counts = apply(load, batch, moment, later != 'none') -%}
    {%- set is_ours = claim_batch(batch, moment, counts) -%}
    {%- if is_ours -%}
        {%- do move_watermark(batch, moment) -%}
        {%- do commit_load() -%}
    {%- else -%}
        {%- do rollback_load() -%}
    {%- endif -%}
    {%- do drop_landing(load) -%}
    {{ return(counts if is_ours else none) }}
{%- endmacro %}

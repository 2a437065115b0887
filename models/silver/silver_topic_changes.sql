{{ config(materialized='table') }}

with items as (

    select * from {{ ref('silver_conversation_items') }}

),

added as (

    select *, 'added' as change_kind
    from {{ ref('bronze_gladly__conversation_items__added_topic_ids') }}

),

removed as (

    select *, 'removed' as change_kind
    from {{ ref('bronze_gladly__conversation_items__removed_topic_ids') }}

),

changes as (

    select
        root_row_id,
        value,
        change_kind,
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from added
    union all
    select
        root_row_id,
        value,
        change_kind,
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from removed

),

final as (

    select
        -- keys
        items.item_id,
        items.conversation_id,
        items.customer_id,
        nullif(changes.value, '') as topic_id,
        -- what happened
        changes.change_kind,
        -- moments
        items.occurred_at,
        -- load
        changes.record_key,
        changes.record_hash,
        changes.batch_id,
        changes.pipeline_run_id,
        changes.date_to_warehouse,
        changes.update_date
    from changes
    inner join items on changes.root_row_id = items.row_id

)

select * from final

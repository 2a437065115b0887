{{ config(materialized='table') }}

with inboxes as (

    select * from {{ ref('bronze_gladly__inboxes') }}

),

final as (

    select
        -- keys
        id as inbox_id,
        -- text
        nullif(name, '') as inbox_name,
        -- yes or no
        {{ yes_or_no('disabled') }} as is_disabled,
        -- load
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from inboxes

)

select * from final

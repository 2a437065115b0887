{{ config(materialized='table') }}

with topics as (

    select * from {{ ref('bronze_gladly__topics') }}

),

final as (

    select
        -- keys
        id as topic_id,
        nullif(parent_id, '') as parent_topic_id,
        -- text
        nullif(name, '') as topic_name,
        -- yes or no
        {{ yes_or_no('disabled') }} as is_disabled,
        -- load
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from topics

)

select * from final

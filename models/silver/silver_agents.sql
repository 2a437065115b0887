{{ config(materialized='table') }}

with agents as (

    select * from {{ ref('bronze_gladly__agents') }}

),

final as (

    select
        -- keys
        id as agent_id,
        -- text
        nullif(name, '') as agent_name,
        nullif(email_address, '') as email,
        -- load
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from agents

)

select * from final

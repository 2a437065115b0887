{{ config(
    materialized='incremental',
    incremental_strategy='loaded_batches',
    unique_key='batch_id',
    on_schema_change='fail',
    post_hook='{{ save_watermark() }}'
) }}

with contact_timestamps as (

    select * from {{ ref('bronze_gladly__contact_timestamps') }}
    {% if is_incremental() %} where update_date >= {{ watermark() }} {% endif %}

),

final as (

    select
        -- keys
        nullif(contact_id, '') as contact_id,
        nullif(conversation_id, '') as conversation_id,
        nullif(customer_id, '') as customer_id,
        nullif(initiator_id, '') as initiator_id,
        nullif(assigned_inbox_id, '') as assigned_inbox_id,
        nullif(assigned_agent_id, '') as assigned_agent_id,
        nullif(fulfilled_by_contact_id, '') as fulfilled_by_contact_id,
        -- what happened, and where the contact was just before
        nullif(event_type, '') as event_type,
        nullif(channel, '') as channel,
        nullif(initiator_type, '') as initiator_kind,
        nullif(initiator_agent_name, '') as initiator_agent_name,
        nullif(assigned_inbox_name, '') as assigned_inbox_name,
        nullif(assigned_agent_name, '') as assigned_agent_name,
        nullif(transferred_to_inbox_name, '') as transferred_to_inbox_name,
        nullif(final_ivr_selection, '') as ivr_selection,
        nullif(timezone_filter, '') as report_timezone,
        -- moments
        {{ moment('timestamp', 'timezone_filter') }} as occurred_at,
        -- load
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from contact_timestamps

)

select * from final

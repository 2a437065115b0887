{{ config(
    materialized='incremental',
    incremental_strategy='loaded_batches',
    unique_key='batch_id',
    on_schema_change='fail',
    post_hook='{{ save_watermark() }}'
) }}

with conversation_timestamps as (

    select * from {{ ref('bronze_gladly__conversation_timestamps') }}
    {% if is_incremental() %} where update_date >= {{ watermark() }} {% endif %}

),

final as (

    select
        -- keys
        nullif(conversation_id, '') as conversation_id,
        nullif(customer_id, '') as customer_id,
        nullif(initiator_id, '') as initiator_id,
        nullif(assigned_inbox_id, '') as assigned_inbox_id,
        nullif(assigned_agent_id, '') as assigned_agent_id,
        nullif(newly_assigned_inbox_id, '') as newly_assigned_inbox_id,
        nullif(newly_assigned_agent_id, '') as newly_assigned_agent_id,
        nullif(topic_id, '') as topic_id,
        nullif(merged_customer_id, '') as merged_customer_id,
        nullif(merged_conversation_id, '') as merged_conversation_id,
        -- what happened, where the conversation was just before, and where it went
        nullif(event_type, '') as event_type,
        nullif(initiator_type, '') as initiator_kind,
        nullif(initiator_agent_name, '') as initiator_agent_name,
        nullif(assigned_inbox_name, '') as assigned_inbox_name,
        nullif(assigned_agent_name, '') as assigned_agent_name,
        nullif(newly_assigned_inbox_name, '') as newly_assigned_inbox_name,
        nullif(newly_assigned_agent_name, '') as newly_assigned_agent_name,
        nullif(assignment_update_reason, '') as assignment_reason,
        nullif(topic_name, '') as topic_name,
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
    from conversation_timestamps

)

select * from final

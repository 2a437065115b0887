{{ config(
    materialized='incremental',
    incremental_strategy='record_hash_merge',
    unique_key='record_key',
    on_schema_change='fail',
    post_hook='{{ save_watermark() }}'
) }}

with conversation_export as (

    select * from {{ ref('bronze_gladly__conversation_export') }}
    {% if is_incremental() %} where update_date >= {{ watermark() }} {% endif %}

),

final as (

    select
        -- keys
        conversation_id,
        nullif(customer_id, '') as customer_id,
        nullif(first_contact_id, '') as first_contact_id,
        nullif(inbox_id_created, '') as created_inbox_id,
        nullif(inbox_id_current, '') as current_inbox_id,
        nullif(inbox_id_last_closed, '') as closed_inbox_id,
        nullif(assigned_agent_id_created, '') as created_agent_id,
        nullif(assigned_agent_id_current, '') as current_agent_id,
        nullif(assigned_agent_id_last_closed, '') as closed_agent_id,
        nullif(initiator_agent_id_created, '') as created_by_agent_id,
        nullif(initiator_agent_id_last_closed, '') as closed_by_agent_id,
        nullif(initiator_rule_id_last_closed, '') as closed_by_rule_id,
        -- what it is, and where it was
        nullif(status, '') as status,
        nullif(topics, '') as topics_text,
        nullif(topics_with_hierarchy, '') as topic_paths_text,
        nullif(merged_conversations, '') as merged_conversations_text,
        nullif(first_channel, '') as first_channel,
        nullif(second_channel, '') as second_channel,
        nullif(third_channel, '') as third_channel,
        nullif(last_channel, '') as last_channel,
        nullif(initiator_type_created, '') as created_by_kind,
        nullif(initiator_type_last_closed, '') as closed_by_kind,
        nullif(inbox_name_created, '') as created_inbox_name,
        nullif(inbox_name_current, '') as current_inbox_name,
        nullif(inbox_name_last_closed, '') as closed_inbox_name,
        nullif(assigned_agent_name_created, '') as created_agent_name,
        nullif(assigned_agent_name_current, '') as current_agent_name,
        nullif(assigned_agent_name_last_closed, '') as closed_agent_name,
        nullif(initiator_agent_name_created, '') as created_by_agent_name,
        nullif(initiator_agent_name_last_closed, '') as closed_by_agent_name,
        nullif(conversation_link, '') as conversation_url,
        nullif(timezone_filter, '') as report_timezone,
        nullif(inboxes_filter, '') as report_inboxes_filter,
        -- seconds
        {{ decimal_number('created_to_first_closed_time_in_seconds') }} as created_to_first_closed_seconds,
        {{ decimal_number('created_to_last_closed_time_in_seconds') }} as created_to_last_closed_seconds,
        {{ decimal_number('conversation_handle_time_in_seconds') }} as handle_seconds,
        -- counts
        {{ whole_number('count_of_contacts') }} as contact_count,
        {{ whole_number('count_of_channels') }} as channel_count,
        {{ whole_number('count_of_notes') }} as note_count,
        {{ whole_number('count_of_agents_assigned') }} as agent_count,
        {{ whole_number('count_of_inboxes_assigned') }} as inbox_count,
        {{ whole_number('times_agent_unassigned_by_rule') }} as unassigned_by_rule_count,
        {{ whole_number('times_closed') }} as closed_count,
        {{ whole_number('times_reopened') }} as reopened_count,
        {{ whole_number('times_topic_added') }} as topic_added_count,
        {{ whole_number('times_topic_removed') }} as topic_removed_count,
        {{ whole_number('payment_requests_completed') }} as completed_payment_count,
        {{ whole_number('payment_requests_declined') }} as declined_payment_count,
        -- money
        {{ decimal_number('payment_amount_completed_usd', scale=2) }} as completed_payment_usd,
        {{ decimal_number('payment_amount_declined_usd', scale=2) }} as declined_payment_usd,
        -- yes or no; FCR is first contact resolution
        {{ yes_or_no('is_fcr_eligible') }} as is_fcr_eligible,
        {{ yes_or_no('is_fcr_success') }} as is_fcr_success,
        -- moments
        {{ moment('created_at', 'timezone_filter') }} as created_at,
        {{ moment('first_closed_at', 'timezone_filter') }} as first_closed_at,
        {{ moment('last_closed_at', 'timezone_filter') }} as last_closed_at,
        -- load
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from conversation_export

)

select * from final

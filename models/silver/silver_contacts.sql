{{ config(
    materialized='incremental',
    incremental_strategy='record_hash_merge',
    unique_key='record_key',
    on_schema_change='fail',
    post_hook='{{ save_watermark() }}'
) }}

with contact_export as (

    select * from {{ ref('bronze_gladly__contact_export') }}
    {% if is_incremental() %} where update_date >= {{ watermark() }} {% endif %}

),

final as (

    select
        -- keys
        contact_id,
        nullif(conversation_id, '') as conversation_id,
        nullif(customer_id, '') as customer_id,
        nullif(fulfilled_by_contact_id, '') as fulfilled_by_contact_id,
        -- what it is, and where it was
        nullif(channel, '') as channel,
        nullif(direction, '') as direction,
        nullif(contact_initiator, '') as initiator_kind,
        nullif(entry_point, '') as entry_point,
        nullif(final_ivr_selection, '') as ivr_selection,
        nullif(fulfilled_type, '') as fulfilled_type,
        nullif(status, '') as status,
        nullif(inbox_when_queued, '') as queued_inbox_name,
        nullif(inbox_when_ended, '') as ended_inbox_name,
        nullif(agent_when_ended, '') as ended_agent_name,
        nullif(conversation_link, '') as conversation_url,
        nullif(timezone_filter, '') as report_timezone,
        nullif(channel_filter, '') as report_channel_filter,
        nullif(inboxes_filter, '') as report_inboxes_filter,
        -- seconds
        {{ decimal_number('sla_target_sec') }} as sla_target_seconds,
        {{ decimal_number('seconds_within_or_over_sla') }} as sla_margin_seconds,
        {{ decimal_number('queued_to_fulfilled_sec') }} as queued_to_fulfilled_seconds,
        {{ decimal_number('queued_to_fulfilled_within_business_hours_sec') }} as queued_to_fulfilled_business_seconds,
        {{ decimal_number('queued_to_accepted_sec') }} as queued_to_accepted_seconds,
        {{ decimal_number('queued_to_ended_sec') }} as queued_to_ended_seconds,
        {{ decimal_number('accepted_to_fulfilled_sec') }} as accepted_to_fulfilled_seconds,
        {{ decimal_number('fulfilled_to_ended_sec') }} as fulfilled_to_ended_seconds,
        {{ decimal_number('contact_handle_time_sec') }} as contact_handle_seconds,
        {{ decimal_number('after_contact_time_sec') }} as after_contact_seconds,
        {{ decimal_number('total_contact_handle_time_sec') }} as total_handle_seconds,
        {{ decimal_number('total_talk_time') }} as talk_seconds,
        {{ decimal_number('hold_time_total_sec') }} as hold_seconds,
        {{ decimal_number('hold_time_manual_sec') }} as manual_hold_seconds,
        {{ decimal_number('hold_time_warm_transfer_sec') }} as warm_transfer_hold_seconds,
        {{ decimal_number('hold_time_cold_transfer_sec') }} as cold_transfer_hold_seconds,
        {{ decimal_number('hold_time_conference_sec') }} as conference_hold_seconds,
        {{ decimal_number('avg_agent_reply_time_sec') }} as average_agent_reply_seconds,
        {{ decimal_number('avg_customer_reply_time_sec') }} as average_customer_reply_seconds,
        -- counts
        {{ whole_number('messages_total') }} as message_count,
        {{ whole_number('messages_from_customer') }} as customer_message_count,
        {{ whole_number('messages_from_agent') }} as agent_message_count,
        {{ whole_number('messages_from_rules') }} as rule_message_count,
        {{ whole_number('messages_from_api') }} as api_message_count,
        {{ whole_number('times_offered') }} as offered_count,
        {{ whole_number('times_accepted') }} as accepted_count,
        {{ whole_number('times_missed') }} as missed_count,
        {{ whole_number('times_declined') }} as declined_count,
        {{ whole_number('times_transferred') }} as transferred_count,
        {{ whole_number('times_on_hold_total') }} as hold_count,
        {{ whole_number('times_on_hold_manual') }} as manual_hold_count,
        {{ whole_number('times_on_hold_warm_transfer') }} as warm_transfer_hold_count,
        {{ whole_number('times_on_hold_cold_transfer') }} as cold_transfer_hold_count,
        {{ whole_number('times_on_hold_conference') }} as conference_hold_count,
        {{ whole_number('payment_requests_completed') }} as completed_payment_count,
        {{ whole_number('payment_requests_declined') }} as declined_payment_count,
        -- money
        {{ decimal_number('payment_amount_completed_usd', scale=2) }} as completed_payment_usd,
        {{ decimal_number('payment_amount_declined_usd', scale=2) }} as declined_payment_usd,
        -- moments
        {{ moment('queued_at', 'timezone_filter') }} as queued_at,
        {{ moment('offered_at', 'timezone_filter') }} as offered_at,
        {{ moment('accepted_at', 'timezone_filter') }} as accepted_at,
        {{ moment('fulfilled_at', 'timezone_filter') }} as fulfilled_at,
        {{ moment('due_at', 'timezone_filter') }} as due_at,
        {{ moment('ended_at', 'timezone_filter') }} as ended_at,
        {{ moment('answered_at_outbound', 'timezone_filter') }} as outbound_answered_at,
        -- load
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from contact_export

)

select * from final

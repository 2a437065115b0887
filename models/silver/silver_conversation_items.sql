{{ config(materialized='table') }}

with items as (

    select * from {{ ref('bronze_gladly__conversation_items') }}

),

contents as (

    select * from {{ ref('bronze_gladly__conversation_items__content') }}

),

initiators as (

    select * from {{ ref('bronze_gladly__conversation_items__initiator') }}

),

responders as (

    select * from {{ ref('bronze_gladly__conversation_items__responder') }}

),

content_types as (

    select * from {{ ref('seed_content_types') }}

),

channels as (

    select *
    from {{ ref('seed_channels') }}
    where vocabulary = 'item'

),

final as (

    select
        -- keys
        items.id as item_id,
        items.row_id,
        nullif(items.conversation_id, '') as conversation_id,
        nullif(items.customer_id, '') as customer_id,
        nullif(initiators.id, '') as initiator_id,
        nullif(responders.id, '') as responder_id,
        nullif(contents.session_id, '') as session_id,
        -- what it is, and whose
        nullif(contents.type, '') as content_type,
        channels.channel,
        nullif(initiators.type, '') as initiator_kind,
        nullif(responders.type, '') as responder_kind,
        -- A custom channel has an object of another meaning in `status`.
        case when contents.type = 'CONVERSATION_STATUS_CHANGE' then nullif(contents.status, '') end
            as conversation_status,
        nullif(contents.activity_type, '') as activity_type,
        nullif(contents.source_name, '') as activity_source_name,
        nullif(contents.recording_status, '') as recording_status,
        -- what was said, and where
        nullif(contents.from_address, '') as from_address,
        nullif(contents.to_address, '') as to_address,
        nullif(contents.subject, '') as subject,
        nullif(contents.title, '') as title,
        nullif(contents.content, '') as content_text,
        nullif(contents.body, '') as body,
        -- seconds
        {{ decimal_number('contents.recording_duration') }} as recording_seconds,
        -- yes or no
        content_types.is_message,
        -- moments
        {{ export_moment('items.timestamp') }} as occurred_at,
        {{ export_moment('contents.started_at') }} as call_started_at,
        {{ export_moment('contents.answered_at') }} as call_answered_at,
        {{ export_moment('contents.completed_at') }} as call_completed_at,
        -- load
        items.record_key,
        items.record_hash,
        items.batch_id,
        items.pipeline_run_id,
        items.date_to_warehouse,
        items.update_date
    from items
    left join contents on items.row_id = contents.root_row_id
    left join initiators on items.row_id = initiators.root_row_id
    left join responders on items.row_id = responders.root_row_id
    left join content_types on contents.type = content_types.content_type
    left join channels on contents.type = channels.spelling

)

select * from final

with conversations as (

    select * from {{ ref('silver_conversations') }}

),

contacts as (

    select * from {{ ref('agg_conversation_contacts') }}

),

known_contacts as (

    select contact_id from {{ ref('fct_contacts') }}

),

channels as (

    select *
    from {{ ref('seed_channels') }}
    where vocabulary = 'report'

),

statuses as (

    select * from {{ ref('seed_conversation_statuses') }}

),

inboxes as (

    select * from {{ ref('dim_inboxes') }}

),

final as (

    select
        conversations.conversation_id,
        conversations.customer_id,
        conversations.first_contact_id,
        conversations.current_agent_id as agent_id,
        conversations.created_inbox_id as inbox_id,
        inboxes.hotel_id,
        coalesce(channels.channel, 'other') as channel,
        conversations.created_by_kind as initiator_kind,
        coalesce(conversations.created_inbox_name, 'none') as inbox_name,
        coalesce(statuses.outcome, 'unknown') as outcome,
        conversations.topics_text,
        conversations.contact_count,
        conversations.closed_count,
        conversations.reopened_count,
        conversations.created_to_first_closed_seconds as first_close_seconds,
        conversations.created_to_last_closed_seconds as last_close_seconds,
        conversations.handle_seconds,
        -- Without its first contact nobody knows when the customer first asked.
        case when known_contacts.contact_id is not null then contacts.first_response_seconds end
            as first_response_seconds,
        coalesce(statuses.outcome = 'open', false) as is_open,
        coalesce(statuses.outcome = 'merged', false) as is_merged,
        conversations.reopened_count > 0 as is_reopened,
        case when conversations.is_fcr_eligible then conversations.is_fcr_success end as is_resolved_at_first_contact,
        cast(conversations.created_at as date) as created_date,
        conversations.created_at,
        conversations.first_closed_at,
        conversations.last_closed_at
    from conversations
    left join contacts on conversations.conversation_id = contacts.conversation_id
    left join known_contacts on conversations.first_contact_id = known_contacts.contact_id
    left join channels on conversations.first_channel = channels.spelling
    left join statuses on conversations.status = statuses.status
    left join inboxes on conversations.created_inbox_name = inboxes.inbox_name

)

select * from final

-- Gladly gives events no id and sends some twice; in one moment a conversation is opened or closed once.
with events as (

    select
        conversation_id,
        event_type,
        cast(occurred_at as date) as event_date,
        min(coalesce(assigned_inbox_name, newly_assigned_inbox_name, 'none')) as inbox_name
    from {{ ref('silver_conversation_events') }}
    where
        event_type in ('CONVERSATION/CREATED', 'CONVERSATION/CLOSED', 'CONVERSATION/REOPENED')
        and occurred_at is not null
    group by conversation_id, event_type, occurred_at

),

final as (

    select
        event_date,
        inbox_name,
        count(case when event_type = 'CONVERSATION/CREATED' then 1 end) as opened_count,
        count(case when event_type = 'CONVERSATION/CLOSED' then 1 end) as closed_count,
        count(case when event_type = 'CONVERSATION/REOPENED' then 1 end) as reopened_count
    from events
    group by event_date, inbox_name

)

select * from final

-- Compared are conversations that were created and last closed on days whose events are loaded. Events since the last
-- closing that the export knows are left out: a conversation that has left the rolling window stands still there.
with covered as (

    select min(event_date) as first_date, max(event_date) as last_date
    from {{ ref('agg_day_inbox_conversations') }}

),

conversations as (

    select conversations.*
    from {{ ref('fct_conversations') }} as conversations
    cross join covered
    where
        conversations.outcome = 'closed'
        and conversations.created_date >= covered.first_date
        and cast(conversations.last_closed_at as date) <= covered.last_date

),

events as (

    select distinct conversation_id, event_type, occurred_at
    from {{ ref('silver_conversation_events') }}

),

counted as (

    select
        conversations.conversation_id,
        conversations.closed_count,
        conversations.reopened_count,
        count(case when events.event_type = 'CONVERSATION/CLOSED' then 1 end) as closed_event_count,
        count(case when events.event_type = 'CONVERSATION/REOPENED' then 1 end) as reopened_event_count
    from conversations
    left join events
        on
            conversations.conversation_id = events.conversation_id
            -- One report may print fractions of a second where the other does not.
            and events.occurred_at < conversations.last_closed_at + interval '1 second'
    group by conversations.conversation_id, conversations.closed_count, conversations.reopened_count

),

compared as (

    select
        count(*) as compared_count,
        count(
            case when closed_count <> closed_event_count or reopened_count <> reopened_event_count then 1 end
        ) as other_count
    from counted

)

select *
from compared
where other_count > greatest(10, 0.02 * compared_count)

-- Compared are conversations created and last closed on days whose contacts are loaded, with their contacts up to that
-- closing: a conversation that has left the rolling window stands still in the export.
with contacts as (

    select * from {{ ref('fct_contacts') }}

),

covered as (

    select min(queued_date) as first_date, max(queued_date) as last_date
    from contacts

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

counted as (

    select
        conversations.conversation_id,
        conversations.contact_count,
        conversations.handle_seconds,
        count(contacts.contact_id) as loaded_count,
        coalesce(sum(contacts.handle_seconds), 0) as loaded_handle_seconds
    from conversations
    left join contacts
        on
            conversations.conversation_id = contacts.conversation_id
            and conversations.last_closed_at >= contacts.queued_at
    group by conversations.conversation_id, conversations.contact_count, conversations.handle_seconds

),

compared as (

    select
        count(*) as compared_count,
        count(case when contact_count <> loaded_count then 1 end) as other_count,
        count(case when abs(handle_seconds - loaded_handle_seconds) > 1 then 1 end) as other_handle_time_count
    from counted

)

select *
from compared
where greatest(other_count, other_handle_time_count) > greatest(10, 0.02 * compared_count)

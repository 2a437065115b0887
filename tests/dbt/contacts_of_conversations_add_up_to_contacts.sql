with conversations as (

    select
        coalesce(sum(contact_count), 0) as contact_count,
        coalesce(sum(inbound_count), 0) as inbound_count,
        coalesce(sum(open_count), 0) as open_count,
        coalesce(sum(handle_seconds), 0) as handle_seconds
    from {{ ref('agg_conversation_contacts') }}

),

contacts as (

    select
        count(*) as contact_count,
        count(case when is_inbound then 1 end) as inbound_count,
        count(case when is_open then 1 end) as open_count,
        coalesce(sum(handle_seconds), 0) as handle_seconds
    from {{ ref('fct_contacts') }}
    where conversation_id is not null

)

select conversations.*
from conversations
cross join contacts
where
    conversations.contact_count <> contacts.contact_count
    or conversations.inbound_count <> contacts.inbound_count
    or conversations.open_count <> contacts.open_count
    or conversations.handle_seconds <> contacts.handle_seconds

-- The conversation's response is a difference of moments, the contact's is Gladly's measure.
with compared as (

    select
        count(*) as compared_count,
        count(
            case when abs(conversations.first_response_seconds - contacts.response_seconds) > 2 then 1 end
        ) as other_count
    from {{ ref('fct_conversations') }} as conversations
    inner join {{ ref('fct_contacts') }} as contacts on conversations.first_contact_id = contacts.contact_id
    inner join {{ ref('agg_conversation_contacts') }} as counted
        on conversations.conversation_id = counted.conversation_id
    where counted.inbound_count = 1 and contacts.response_seconds is not null

)

select *
from compared
where other_count > greatest(10, 0.02 * compared_count)

with items as (

    select *
    from {{ ref('silver_conversation_items') }}
    where occurred_at is not null

),

-- What began before the loaded nights has its first message in none of them. A call over midnight comes with the moment
-- at which it began, so the first day of any item need not be whole.
covered as (

    select min(cast(occurred_at as date)) as first_date
    from items

),

conversations as (

    select conversations.conversation_id
    from {{ ref('silver_conversations') }} as conversations
    inner join covered on cast(conversations.created_at as date) > covered.first_date

),

messages as (

    select items.conversation_id, items.initiator_kind, items.occurred_at
    from items
    inner join conversations on items.conversation_id = conversations.conversation_id
    where items.is_message

),

first_messages as (

    select conversation_id, min(occurred_at) as first_message_at
    from messages
    where initiator_kind = 'CUSTOMER'
    group by conversation_id

),

-- A reply by a program or by somebody whom nobody names does not end the wait.
first_replies as (

    select messages.conversation_id, min(messages.occurred_at) as first_reply_at
    from messages
    inner join first_messages
        on
            messages.conversation_id = first_messages.conversation_id
            and messages.occurred_at > first_messages.first_message_at
    where messages.initiator_kind = 'AGENT'
    group by messages.conversation_id

),

final as (

    select
        first_messages.conversation_id,
        cast(
            {{ datediff('first_messages.first_message_at', 'first_replies.first_reply_at', 'millisecond') }} / 1000.0
            as numeric(18, 3)
        ) as first_reply_seconds,
        first_messages.first_message_at,
        first_replies.first_reply_at
    from first_messages
    left join first_replies on first_messages.conversation_id = first_replies.conversation_id

)

select * from final

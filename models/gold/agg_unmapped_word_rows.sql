with contacts as (

    select * from {{ ref('silver_contacts') }}

),

conversations as (

    select * from {{ ref('silver_conversations') }}

),

items as (

    select * from {{ ref('silver_conversation_items') }}

),

reservations as (

    select * from {{ ref('silver_reservations') }}

),

payments as (

    select * from {{ ref('silver_payments') }}

),

known_words as (

    select 'channel' as word_kind, spelling as word
    from {{ ref('seed_channels') }}
    where vocabulary = 'report'
    union all
    select 'content type' as word_kind, content_type as word
    from {{ ref('seed_content_types') }}
    union all
    select 'contact status' as word_kind, status as word
    from {{ ref('seed_contact_statuses') }}
    union all
    select 'conversation status' as word_kind, status as word
    from {{ ref('seed_conversation_statuses') }}
    union all
    select 'inbox' as word_kind, inbox_name as word
    from {{ ref('seed_inbox_hotels') }}
    union all
    select 'reservation status' as word_kind, status as word
    from {{ ref('seed_reservation_statuses') }}
    union all
    select 'payment status' as word_kind, status as word
    from {{ ref('seed_payment_statuses') }}

),

words as (

    select 'channel' as word_kind, channel as word
    from contacts
    union all
    select 'channel' as word_kind, first_channel as word
    from conversations
    union all
    select 'content type' as word_kind, content_type as word
    from items
    union all
    select 'contact status' as word_kind, status as word
    from contacts
    union all
    select 'conversation status' as word_kind, status as word
    from conversations
    union all
    select 'inbox' as word_kind, queued_inbox_name as word
    from contacts
    union all
    select 'inbox' as word_kind, created_inbox_name as word
    from conversations
    union all
    select 'reservation status' as word_kind, status as word
    from reservations
    union all
    select 'payment status' as word_kind, status as word
    from payments

),

final as (

    select words.word_kind, words.word, count(*) as row_count
    from words
    left join known_words on words.word_kind = known_words.word_kind and words.word = known_words.word
    where words.word is not null and known_words.word is null
    group by words.word_kind, words.word

)

select * from final

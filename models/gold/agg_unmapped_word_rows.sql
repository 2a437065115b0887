with contacts as (

    select * from {{ ref('silver_contacts') }}

),

reservations as (

    select * from {{ ref('silver_reservations') }}

),

known_words as (

    select 'contact channel' as word_kind, spelling as word
    from {{ ref('seed_channels') }}
    where vocabulary = 'report'
    union all
    select 'contact status' as word_kind, status as word
    from {{ ref('seed_contact_statuses') }}
    union all
    select 'inbox' as word_kind, inbox_name as word
    from {{ ref('seed_inbox_hotels') }}
    union all
    select 'reservation status' as word_kind, status as word
    from {{ ref('seed_reservation_statuses') }}

),

words as (

    select 'contact channel' as word_kind, channel as word
    from contacts
    union all
    select 'contact status' as word_kind, status as word
    from contacts
    union all
    select 'inbox' as word_kind, queued_inbox_name as word
    from contacts
    union all
    select 'reservation status' as word_kind, status as word
    from reservations

),

final as (

    select words.word_kind, words.word, count(*) as row_count
    from words
    left join known_words on words.word_kind = known_words.word_kind and words.word = known_words.word
    where words.word is not null and known_words.word is null
    group by words.word_kind, words.word

)

select * from final

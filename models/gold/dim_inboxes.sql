with inboxes as (

    select *
    from {{ ref('silver_inboxes') }}
    where inbox_name is not null

),

contacts as (

    select * from {{ ref('silver_contacts') }}

),

conversations as (

    select * from {{ ref('silver_conversations') }}

),

events as (

    select * from {{ ref('silver_conversation_events') }}

),

inbox_hotels as (

    select inbox_hotels.inbox_name, hotels.hotel_id
    from {{ ref('seed_inbox_hotels') }} as inbox_hotels
    inner join {{ ref('dim_hotels') }} as hotels on inbox_hotels.hotel_code = hotels.hotel_code

),

-- Reports give an inbox the name that it had; the list knows only the one that it has.
named as (

    select queued_inbox_name as inbox_name, cast(null as varchar) as inbox_id
    from contacts
    union all
    select created_inbox_name as inbox_name, created_inbox_id as inbox_id
    from conversations
    union all
    select assigned_inbox_name as inbox_name, assigned_inbox_id as inbox_id
    from events
    union all
    select newly_assigned_inbox_name as inbox_name, newly_assigned_inbox_id as inbox_id
    from events
    union all
    select 'none' as inbox_name, cast(null as varchar) as inbox_id

),

seen as (

    select inbox_name, max(inbox_id) as inbox_id
    from named
    where inbox_name is not null
    group by inbox_name

),

final as (

    select
        coalesce(inboxes.inbox_name, seen.inbox_name) as inbox_name,
        coalesce(inboxes.inbox_id, seen.inbox_id) as inbox_id,
        inbox_hotels.hotel_id,
        inboxes.inbox_id is not null as is_listed,
        inboxes.is_disabled
    from inboxes
    full outer join seen on inboxes.inbox_name = seen.inbox_name
    left join inbox_hotels on coalesce(inboxes.inbox_name, seen.inbox_name) = inbox_hotels.inbox_name

)

select * from final

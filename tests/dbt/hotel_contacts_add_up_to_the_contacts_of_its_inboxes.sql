with months as (

    select hotel_id, sum(contact_count) as contact_count
    from {{ ref('agg_hotel_month_contacts') }}
    group by hotel_id

),

days as (

    select inbox_hotels.hotel_code, sum(contacts.inbound_count) as contact_count
    from {{ ref('agg_day_channel_inbox_contacts') }} as contacts
    inner join {{ ref('seed_inbox_hotels') }} as inbox_hotels on contacts.inbox_name = inbox_hotels.inbox_name
    group by inbox_hotels.hotel_code

)

select hotels.hotel_id, months.contact_count, days.contact_count as inbox_contact_count
from {{ ref('dim_hotels') }} as hotels
left join months on hotels.hotel_id = months.hotel_id
left join days on hotels.hotel_code = days.hotel_code
where coalesce(months.contact_count, 0) <> coalesce(days.contact_count, 0)

with contacts as (

    select *
    from {{ ref('fct_contacts') }}
    where is_inbound

),

occupancy as (

    select * from {{ ref('agg_hotel_day_occupancy') }}

),

dates as (

    select * from {{ ref('dim_dates') }}

),

-- Stays of days for which no contacts were loaded have nothing to be compared with.
covered as (

    select min(queued_date) as first_date, max(queued_date) as last_date
    from contacts

),

contacts_by_month as (

    select contacts.hotel_id, dates.month_date, count(*) as contact_count
    from contacts
    inner join dates on contacts.queued_date = dates.calendar_date
    where contacts.hotel_id is not null
    group by contacts.hotel_id, dates.month_date

),

stays_by_month as (

    select occupancy.hotel_id, dates.month_date, sum(occupancy.arrival_count) as stay_count
    from occupancy
    inner join dates on occupancy.calendar_date = dates.calendar_date
    inner join covered on occupancy.calendar_date between covered.first_date and covered.last_date
    group by occupancy.hotel_id, dates.month_date

),

final as (

    select
        contacts_by_month.hotel_id,
        contacts_by_month.month_date,
        contacts_by_month.contact_count,
        cast(coalesce(stays_by_month.stay_count, 0) as bigint) as stay_count,
        cast(100.0 * contacts_by_month.contact_count / nullif(stays_by_month.stay_count, 0) as numeric(18, 3))
            as contacts_per_100_stays
    from contacts_by_month
    left join stays_by_month
        on
            contacts_by_month.hotel_id = stays_by_month.hotel_id
            and contacts_by_month.month_date = stays_by_month.month_date

)

select * from final

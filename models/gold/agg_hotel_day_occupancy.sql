with reservations as (

    select *
    from {{ ref('fct_reservations') }}
    where check_in_date is not null and check_out_date is not null

),

hotels as (

    select * from {{ ref('dim_hotels') }}

),

dates as (

    select * from {{ ref('dim_dates') }}

),

-- A hotel's days run from the first arrival to the last departure that anybody booked, idle days included.
spans as (

    select hotel_id, min(check_in_date) as first_date, max(check_out_date) as last_date
    from reservations
    group by hotel_id

),

hotel_days as (

    select hotels.hotel_id, dates.calendar_date, hotels.room_count
    from hotels
    inner join spans on hotels.hotel_id = spans.hotel_id
    inner join dates on dates.calendar_date between spans.first_date and spans.last_date

),

arrivals as (

    select
        hotel_id,
        check_in_date as calendar_date,
        count(case when is_occupying then 1 end) as arrival_count,
        count(case when is_cancelled then 1 end) as cancelled_count,
        count(case when is_no_show then 1 end) as no_show_count
    from reservations
    group by hotel_id, check_in_date

),

departures as (

    select hotel_id, check_out_date as calendar_date, count(*) as departure_count
    from reservations
    where is_occupying
    group by hotel_id, check_out_date

),

-- A night is sold from check-in up to the day before check-out: all who came by that day, less all who left by it.
counted as (

    select
        hotel_days.hotel_id,
        hotel_days.calendar_date,
        hotel_days.room_count,
        coalesce(arrivals.arrival_count, 0) as arrival_count,
        coalesce(departures.departure_count, 0) as departure_count,
        coalesce(arrivals.cancelled_count, 0) as cancelled_count,
        coalesce(arrivals.no_show_count, 0) as no_show_count,
        sum(coalesce(arrivals.arrival_count, 0) - coalesce(departures.departure_count, 0)) over (
            partition by hotel_days.hotel_id order by hotel_days.calendar_date
            rows between unbounded preceding and current row
        ) as rooms_sold_count
    from hotel_days
    left join arrivals
        on hotel_days.hotel_id = arrivals.hotel_id and hotel_days.calendar_date = arrivals.calendar_date
    left join departures
        on hotel_days.hotel_id = departures.hotel_id and hotel_days.calendar_date = departures.calendar_date

),

final as (

    select
        hotel_id,
        calendar_date,
        cast(rooms_sold_count as bigint) as rooms_sold_count,
        room_count as rooms_available_count,
        arrival_count,
        departure_count,
        cancelled_count,
        no_show_count,
        cast(1.0 * rooms_sold_count / nullif(room_count, 0) as numeric(9, 6)) as occupancy_share
    from counted

)

select * from final

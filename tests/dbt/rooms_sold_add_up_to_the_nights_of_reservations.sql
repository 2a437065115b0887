-- Occupancy counts who came less who left; reservations know their nights. A difference is a stay outside the calendar.
with sold as (

    select
        hotel_id,
        sum(rooms_sold_count) as night_count,
        sum(arrival_count) as arrival_count,
        sum(departure_count) as departure_count,
        sum(cancelled_count) as cancelled_count,
        sum(no_show_count) as no_show_count
    from {{ ref('agg_hotel_day_occupancy') }}
    group by hotel_id

),

booked as (

    select
        hotel_id,
        sum(case when is_occupying then night_count else 0 end) as night_count,
        count(case when is_occupying then 1 end) as stay_count,
        count(case when is_cancelled then 1 end) as cancelled_count,
        count(case when is_no_show then 1 end) as no_show_count
    from {{ ref('fct_reservations') }}
    where check_in_date is not null and check_out_date is not null
    group by hotel_id

)

select sold.*
from sold
inner join booked on sold.hotel_id = booked.hotel_id
where
    sold.night_count <> booked.night_count
    or sold.arrival_count <> booked.stay_count
    or sold.departure_count <> booked.stay_count
    or sold.cancelled_count <> booked.cancelled_count
    or sold.no_show_count <> booked.no_show_count

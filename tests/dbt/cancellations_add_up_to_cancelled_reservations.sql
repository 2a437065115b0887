-- By the day it came and by the day of arrival it is the same reservations, but for those without such a day.
with cancelled as (

    select hotel_id, sum(cancelled_count) as cancelled_count, sum(cancelled_usd) as cancelled_usd
    from {{ ref('agg_hotel_day_cancellations') }}
    group by hotel_id

),

occupancy as (

    select hotel_id, sum(cancelled_count) as cancelled_count
    from {{ ref('agg_hotel_day_occupancy') }}
    group by hotel_id

),

reservations as (

    select
        hotel_id,
        count(case when cancelled_at is not null then 1 end) as cancelled_count,
        sum(case when cancelled_at is not null then amount_usd end) as cancelled_usd,
        count(case when check_in_date is not null and check_out_date is not null then 1 end) as arrival_count
    from {{ ref('fct_reservations') }}
    where is_cancelled
    group by hotel_id

)

select reservations.*
from reservations
inner join {{ ref('dim_hotels') }} as hotels on reservations.hotel_id = hotels.hotel_id
left join cancelled on reservations.hotel_id = cancelled.hotel_id
left join occupancy on reservations.hotel_id = occupancy.hotel_id
where
    reservations.cancelled_count <> coalesce(cancelled.cancelled_count, 0)
    or coalesce(reservations.cancelled_usd, 0) <> coalesce(cancelled.cancelled_usd, 0)
    or reservations.arrival_count <> coalesce(occupancy.cancelled_count, 0)

select
    hotel_id,
    count(*) as day_count,
    max(calendar_date) - min(calendar_date) + 1 as expected_day_count,
    min(rooms_sold_count) as least_rooms_sold
from {{ ref('agg_hotel_day_occupancy') }}
group by hotel_id
having count(*) <> max(calendar_date) - min(calendar_date) + 1 or min(rooms_sold_count) < 0

with hotels as (

    select * from {{ ref('silver_hotels') }}

),

final as (

    select
        hotel_id,
        hotel_code,
        hotel_name,
        city,
        country_code,
        room_count,
        rating,
        is_active,
        opened_date
    from hotels

)

select * from final

with guests as (

    select * from {{ ref('silver_guests') }}

),

-- Whoever counts guests needs neither their names nor their addresses; silver_guests has them.
final as (

    select
        guest_id,
        country_code,
        is_active,
        cast(created_at as date) as created_date
    from guests

)

select * from final

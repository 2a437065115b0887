with reservations as (

    select
        hotel_id,
        night_count,
        amount_usd,
        cast(cancelled_at as date) as cancelled_date,
        check_in_date - cast(cancelled_at as date) as notice_days
    from {{ ref('fct_reservations') }}
    where is_cancelled and cancelled_at is not null and hotel_id is not null

),

final as (

    select
        hotel_id,
        cancelled_date,
        count(*) as cancelled_count,
        cast(sum(night_count) as bigint) as cancelled_night_count,
        cast(sum(amount_usd) as numeric(18, 2)) as cancelled_usd,
        cast(sum(notice_days) as bigint) as notice_days,
        cast(1.0 * sum(notice_days) / nullif(count(notice_days), 0) as numeric(18, 3)) as average_notice_days
    from reservations
    group by hotel_id, cancelled_date

)

select * from final

with reservations as (

    select * from {{ ref('silver_reservations') }}

),

statuses as (

    select * from {{ ref('seed_reservation_statuses') }}

),

-- A status that the seed does not know occupies no room: a room is sold once somebody says so.
final as (

    select
        reservations.reservation_id,
        reservations.hotel_id,
        reservations.guest_id,
        reservations.confirmation_code,
        reservations.status,
        reservations.booking_channel,
        reservations.room_type,
        reservations.adult_count,
        reservations.child_count,
        cast(
            case
                when reservations.check_out_date >= reservations.check_in_date
                    then reservations.check_out_date - reservations.check_in_date
            end as bigint
        ) as night_count,
        reservations.amount_usd,
        coalesce(
            statuses.is_occupying and reservations.check_out_date >= reservations.check_in_date, false
        ) as is_occupying,
        coalesce(reservations.status = 'CANCELLED', false) as is_cancelled,
        coalesce(reservations.status = 'NO_SHOW', false) as is_no_show,
        reservations.is_prepaid,
        reservations.check_in_date,
        reservations.check_out_date,
        reservations.booked_at,
        reservations.checked_in_at,
        reservations.checked_out_at,
        reservations.cancelled_at
    from reservations
    left join statuses on reservations.status = statuses.status

)

select * from final

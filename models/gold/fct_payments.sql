with payments as (

    select * from {{ ref('silver_payments') }}

),

reservations as (

    select * from {{ ref('silver_reservations') }}

),

statuses as (

    select * from {{ ref('seed_payment_statuses') }}

),

-- A status that the seed does not know brings no money: it is counted once somebody says so.
final as (

    select
        payments.payment_id,
        payments.reservation_id,
        reservations.hotel_id,
        reservations.guest_id,
        payments.payment_method,
        payments.status,
        payments.amount_usd,
        cast(case when statuses.is_received then payments.amount_usd else 0 end as numeric(18, 2)) as received_usd,
        coalesce(statuses.is_received, false) as is_received,
        coalesce(payments.status = 'REFUNDED', false) as is_refunded,
        coalesce(payments.status = 'DECLINED', false) as is_declined,
        cast(payments.paid_at as date) as paid_date,
        payments.paid_at
    from payments
    left join reservations on payments.reservation_id = reservations.reservation_id
    left join statuses on payments.status = statuses.status

)

select * from final

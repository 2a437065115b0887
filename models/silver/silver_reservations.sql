{{ config(
    materialized='incremental',
    incremental_strategy='record_hash_merge',
    unique_key='record_key',
    on_schema_change='fail',
    post_hook='{{ save_watermark() }}'
) }}

with reservations as (

    select * from {{ ref('bronze_operational__reservations') }}
    {% if is_incremental() %} where update_date >= {{ watermark() }} {% endif %}

),

final as (

    select
        -- keys; ids stay text, nobody calculates with them
        reservation_id,
        nullif(hotel_id, '') as hotel_id,
        nullif(guest_id, '') as guest_id,
        nullif(confirmation, '') as confirmation_code,
        -- text
        nullif(status, '') as status,
        nullif(channel, '') as booking_channel,
        nullif(room_type, '') as room_type,
        nullif(notes, '') as notes,
        -- measures
        {{ whole_number('adults') }} as adult_count,
        {{ whole_number('children') }} as child_count,
        {{ decimal_number('amount_usd', scale=2) }} as amount_usd,
        -- yes or no
        {{ yes_or_no('is_prepaid') }} as is_prepaid,
        -- moments
        {{ calendar_date('check_in') }} as check_in_date,
        {{ calendar_date('check_out') }} as check_out_date,
        {{ moment('booked_at') }} as booked_at,
        {{ moment('checked_in_at') }} as checked_in_at,
        {{ moment('checked_out_at') }} as checked_out_at,
        {{ moment('cancelled_at') }} as cancelled_at,
        {{ moment('created_at') }} as created_at,
        {{ moment('updated_at') }} as updated_at,
        -- load
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from reservations

)

select * from final

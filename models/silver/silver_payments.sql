{{ config(
    materialized='incremental',
    incremental_strategy='record_hash_merge',
    unique_key='record_key',
    on_schema_change='fail',
    post_hook='{{ save_watermark() }}'
) }}

with payments as (

    select * from {{ ref('bronze_operational__payments') }}
    {% if is_incremental() %} where update_date >= {{ watermark() }} {% endif %}

),

final as (

    select
        -- keys; ids stay text, nobody calculates with them
        payment_id,
        nullif(reservation_id, '') as reservation_id,
        -- text
        nullif(method, '') as payment_method,
        nullif(status, '') as status,
        -- measures
        {{ decimal_number('amount_usd', scale=2) }} as amount_usd,
        -- moments
        {{ moment('paid_at') }} as paid_at,
        {{ moment('created_at') }} as created_at,
        {{ moment('updated_at') }} as updated_at,
        -- load
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from payments

)

select * from final

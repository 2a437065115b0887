{{ config(materialized='table') }}

with customers as (

    select * from {{ ref('bronze_gladly__customers') }}

),

email_addresses as (

    select * from {{ ref('bronze_gladly__customers__email_addresses') }}

),

final as (

    select
        -- keys
        customers.id as customer_id,
        -- text; letters of either case are one address
        nullif(lower(trim(email_addresses.value)), '') as email,
        -- measures
        {{ whole_number('email_addresses.list_index') }} as list_index,
        -- load
        email_addresses.record_key,
        email_addresses.record_hash,
        email_addresses.batch_id,
        email_addresses.pipeline_run_id,
        email_addresses.date_to_warehouse,
        email_addresses.update_date
    from email_addresses
    inner join customers on email_addresses.root_row_id = customers.row_id

)

select * from final

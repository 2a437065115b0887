{{ config(materialized='table') }}

with customers as (

    select * from {{ ref('bronze_gladly__customers') }}

),

phone_numbers as (

    select * from {{ ref('bronze_gladly__customers__phone_numbers') }}

),

final as (

    select
        -- keys
        customers.id as customer_id,
        -- text
        nullif(trim(phone_numbers.value), '') as phone,
        -- measures
        {{ whole_number('phone_numbers.list_index') }} as list_index,
        -- load
        phone_numbers.record_key,
        phone_numbers.record_hash,
        phone_numbers.batch_id,
        phone_numbers.pipeline_run_id,
        phone_numbers.date_to_warehouse,
        phone_numbers.update_date
    from phone_numbers
    inner join customers on phone_numbers.root_row_id = customers.row_id

)

select * from final

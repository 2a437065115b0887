{{ config(materialized='table') }}

with customers as (

    select * from {{ ref('bronze_gladly__customers') }}

),

emails as (

    select
        customer_id,
        email,
        row_number() over (partition by customer_id order by list_index) as place
    from {{ ref('silver_customer_emails') }}
    where email is not null

),

phones as (

    select
        customer_id,
        phone,
        row_number() over (partition by customer_id order by list_index) as place
    from {{ ref('silver_customer_phones') }}
    where phone is not null

),

counted_emails as (

    select customer_id, count(distinct email) as email_count, max(case when place = 1 then email end) as email
    from emails
    group by customer_id

),

counted_phones as (

    select customer_id, count(distinct phone) as phone_count, max(case when place = 1 then phone end) as phone
    from phones
    group by customer_id

),

final as (

    select
        -- keys
        customers.id as customer_id,
        nullif(customers.external_customer_id, '') as external_customer_id,
        -- text
        nullif(customers.name, '') as customer_name,
        counted_emails.email,
        counted_phones.phone,
        nullif(customers.address, '') as address,
        nullif(nullif(customers.external_customer_ids, ''), '{}') as external_customer_ids,
        -- counts
        coalesce(counted_emails.email_count, 0) as email_count,
        coalesce(counted_phones.phone_count, 0) as phone_count,
        -- load
        customers.record_key,
        customers.record_hash,
        customers.batch_id,
        customers.pipeline_run_id,
        customers.date_to_warehouse,
        customers.update_date
    from customers
    left join counted_emails on customers.id = counted_emails.customer_id
    left join counted_phones on customers.id = counted_phones.customer_id

)

select * from final

with customers as (

    select * from {{ ref('silver_customers') }}

),

customer_emails as (

    select distinct customer_id, email
    from {{ ref('silver_customer_emails') }}
    where email is not null

),

guests as (

    select guest_id, lower(trim(email)) as email
    from {{ ref('silver_guests') }}

),

-- An address that several customers or several guests have is in several pairs, and says nothing of any of them.
pairs as (

    select
        customer_emails.customer_id,
        guests.guest_id,
        count(*) over (partition by guests.email) as email_pair_count
    from customer_emails
    inner join guests on customer_emails.email = guests.email

),

matches as (

    select
        customer_id,
        min(guest_id) as guest_id,
        count(*) > 1 or max(email_pair_count) > 1 as is_ambiguous
    from pairs
    group by customer_id

),

-- Whoever counts customers needs neither their names nor their addresses; silver_customers has them.
final as (

    select
        customers.customer_id,
        case when not matches.is_ambiguous then matches.guest_id end as guest_id,
        customers.email_count,
        customers.phone_count,
        coalesce(matches.is_ambiguous, false) as is_guest_ambiguous
    from customers
    left join matches on customers.customer_id = matches.customer_id

)

select * from final

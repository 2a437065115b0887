-- On days that both reports cover.
with opened as (

    select event_date, sum(opened_count) as opened_count
    from {{ ref('agg_day_inbox_conversations') }}
    group by event_date

),

created as (

    select created_date, count(*) as created_count
    from {{ ref('fct_conversations') }}
    where created_date is not null
    group by created_date

),

covered as (

    select max(first_date) as first_date, min(last_date) as last_date
    from (
        select min(event_date) as first_date, max(event_date) as last_date
        from opened
        union all
        select min(created_date) as first_date, max(created_date) as last_date
        from created
    ) as reports
    having count(first_date) = 2

),

compared as (

    select
        coalesce(sum(created.created_count), 0) as created_count,
        coalesce(sum(abs(coalesce(opened.opened_count, 0) - coalesce(created.created_count, 0))), 0) as other_count
    from covered
    inner join {{ ref('dim_dates') }} as dates on dates.calendar_date between covered.first_date and covered.last_date
    left join opened on dates.calendar_date = opened.event_date
    left join created on dates.calendar_date = created.created_date

)

select *
from compared
where other_count > greatest(10, 0.02 * created_count)

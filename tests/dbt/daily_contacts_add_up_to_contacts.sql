with days as (

    select
        coalesce(sum(contact_count), 0) as contact_count,
        coalesce(sum(open_count), 0) as open_count,
        coalesce(sum(abandoned_count), 0) as abandoned_count,
        coalesce(sum(waiting_seconds), 0) as waiting_seconds,
        coalesce(sum(handle_seconds), 0) as handle_seconds,
        coalesce(sum(service_level_count), 0) as service_level_count,
        coalesce(sum(within_service_level_count), 0) as within_service_level_count
    from {{ ref('agg_day_channel_inbox_contacts') }}

),

contacts as (

    select
        count(*) as contact_count,
        count(case when is_open then 1 end) as open_count,
        count(case when is_abandoned then 1 end) as abandoned_count,
        coalesce(sum(waiting_seconds), 0) as waiting_seconds,
        coalesce(sum(handle_seconds), 0) as handle_seconds,
        count(is_within_service_level) as service_level_count,
        count(case when is_within_service_level then 1 end) as within_service_level_count
    from {{ ref('fct_contacts') }}
    where queued_date is not null

)

select days.*
from days
cross join contacts
where
    days.contact_count <> contacts.contact_count
    or days.open_count <> contacts.open_count
    or days.abandoned_count <> contacts.abandoned_count
    or days.waiting_seconds <> contacts.waiting_seconds
    or days.handle_seconds <> contacts.handle_seconds
    or days.service_level_count <> contacts.service_level_count
    or days.within_service_level_count <> contacts.within_service_level_count

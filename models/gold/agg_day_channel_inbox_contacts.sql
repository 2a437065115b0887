with contacts as (

    select *
    from {{ ref('fct_contacts') }}
    where queued_date is not null

),

counted as (

    select
        queued_date,
        channel,
        inbox_name,
        count(*) as contact_count,
        count(case when is_inbound then 1 end) as inbound_count,
        count(case when is_open then 1 end) as open_count,
        count(case when is_abandoned then 1 end) as abandoned_count,
        count(waiting_seconds) as waited_count,
        sum(waiting_seconds) as waiting_seconds,
        percentile_cont(0.5) within group (order by cast(waiting_seconds as double precision))
            as median_waiting_seconds,
        -- A contact that nobody worked on has no handle time; zeros would only hide how long the others took.
        count(case when handle_seconds > 0 then 1 end) as handled_count,
        sum(handle_seconds) as handle_seconds,
        count(is_within_service_level) as service_level_count,
        count(case when is_within_service_level then 1 end) as within_service_level_count
    from contacts
    group by queued_date, channel, inbox_name

),

final as (

    select
        queued_date,
        channel,
        inbox_name,
        contact_count,
        inbound_count,
        open_count,
        abandoned_count,
        waited_count,
        cast(waiting_seconds as numeric(18, 3)) as waiting_seconds,
        cast(waiting_seconds / nullif(waited_count, 0) as numeric(18, 3)) as average_waiting_seconds,
        cast(median_waiting_seconds as numeric(18, 3)) as median_waiting_seconds,
        handled_count,
        cast(handle_seconds as numeric(18, 3)) as handle_seconds,
        cast(handle_seconds / nullif(handled_count, 0) as numeric(18, 3)) as average_handle_seconds,
        service_level_count,
        within_service_level_count,
        cast(1.0 * within_service_level_count / nullif(service_level_count, 0) as numeric(9, 6))
            as within_service_level_share
    from counted

)

select * from final

with contacts as (

    select
        *,
        -- Fulfilled without a response: closed because no answer was needed. Nobody waited for one.
        is_inbound and (fulfilled_at is null or response_seconds is not null) as is_question
    from {{ ref('fct_contacts') }}
    where conversation_id is not null

),

counted as (

    select
        conversation_id,
        count(*) as contact_count,
        count(case when is_inbound then 1 end) as inbound_count,
        count(case when is_open then 1 end) as open_count,
        sum(handle_seconds) as handle_seconds,
        min(case when is_question then queued_at end) as first_asked_at,
        min(case when is_question then fulfilled_at end) as first_answered_at
    from contacts
    group by conversation_id

),

-- The wait began with the first question, also where another contact brought the answer: a customer who hangs up and
-- calls again has waited all the while.
final as (

    select
        conversation_id,
        contact_count,
        inbound_count,
        open_count,
        cast(handle_seconds as numeric(18, 3)) as handle_seconds,
        cast({{ datediff('first_asked_at', 'first_answered_at', 'millisecond') }} / 1000.0 as numeric(18, 3))
            as first_response_seconds,
        first_asked_at,
        first_answered_at
    from counted

)

select * from final

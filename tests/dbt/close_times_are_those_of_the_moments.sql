with compared as (

    select
        count(*) as compared_count,
        count(
            case
                when
                    abs({{ datediff('created_at', 'first_closed_at', 'second') }} - first_close_seconds) > 2
                    or abs({{ datediff('created_at', 'last_closed_at', 'second') }} - last_close_seconds) > 2
                    then 1
            end
        ) as other_count
    from {{ ref('fct_conversations') }}
    where first_close_seconds is not null

)

select *
from compared
where other_count > greatest(10, 0.02 * compared_count)

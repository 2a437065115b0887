with spellings as (

    select * from {{ ref('seed_channels') }}

),

targets as (

    select * from {{ ref('seed_service_targets') }}

),

-- Gladly may add a channel any day; until seed_channels knows it, its contacts are counted under `other`.
channels as (

    select channel from spellings
    union
    select 'other' as channel

),

final as (

    select
        channels.channel,
        targets.target_seconds,
        targets.target_share
    from channels
    left join targets on channels.channel = targets.channel

)

select * from final

with messages as (

    select *
    from {{ ref('silver_conversation_items') }}
    where is_message and conversation_id is not null

),

final as (

    select
        conversation_id,
        coalesce(channel, 'other') as channel,
        count(*) as message_count,
        count(case when initiator_kind = 'CUSTOMER' then 1 end) as customer_message_count,
        count(case when initiator_kind = 'AGENT' then 1 end) as agent_message_count,
        count(case when initiator_kind in ('AUTOMATION', 'API') then 1 end) as automation_message_count
    from messages
    group by conversation_id, coalesce(channel, 'other')

)

select * from final

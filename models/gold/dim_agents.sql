with agents as (

    select * from {{ ref('silver_agents') }}

),

conversations as (

    select * from {{ ref('silver_conversations') }}

),

-- The list has those who work here today; conversations still name the others.
seen as (

    select current_agent_id as agent_id, max(current_agent_name) as agent_name
    from conversations
    where current_agent_id is not null
    group by current_agent_id

),

final as (

    select
        coalesce(agents.agent_id, seen.agent_id) as agent_id,
        coalesce(agents.agent_name, seen.agent_name) as agent_name,
        agents.agent_id is not null as is_listed
    from agents
    full outer join seen on agents.agent_id = seen.agent_id

)

select * from final

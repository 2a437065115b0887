with changes as (

    select *
    from {{ ref('silver_topic_changes') }}
    where topic_id is not null and occurred_at is not null

),

topics as (

    select * from {{ ref('silver_topics') }}

),

-- The list has the topics of today; events still name the others.
seen as (

    select topic_id, max(topic_name) as topic_name
    from {{ ref('silver_conversation_events') }}
    where topic_id is not null
    group by topic_id

),

counted as (

    select
        cast(occurred_at as date) as change_date,
        topic_id,
        count(distinct case when change_kind = 'added' then item_id end) as added_count,
        count(distinct case when change_kind = 'removed' then item_id end) as removed_count
    from changes
    group by cast(occurred_at as date), topic_id

),

final as (

    select
        counted.change_date,
        counted.topic_id,
        coalesce(topics.topic_name, seen.topic_name) as topic_name,
        counted.added_count,
        counted.removed_count,
        topics.topic_id is not null as is_listed
    from counted
    left join topics on counted.topic_id = topics.topic_id
    left join seen on counted.topic_id = seen.topic_id

)

select * from final

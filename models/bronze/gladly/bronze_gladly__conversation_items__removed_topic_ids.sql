{{ config(materialized='batch_replace') }}

select *
from
    {{ landed('gladly', 'conversation_items__removed_topic_ids', parent='bronze_gladly__conversation_items') }}

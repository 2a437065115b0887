{{ config(materialized='batch_replace') }}

select * from {{ landed('gladly', 'conversation_items__added_topic_ids', parent='bronze_gladly__conversation_items') }}

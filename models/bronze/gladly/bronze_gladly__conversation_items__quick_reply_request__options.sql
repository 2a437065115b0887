{{ config(materialized='batch_replace') }}

select * from {{ landed(
    'gladly',
    'conversation_items__quick_reply_request__options',
    parent='bronze_gladly__conversation_items'
) }}

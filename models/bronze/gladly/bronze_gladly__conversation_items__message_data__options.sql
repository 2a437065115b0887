{{ config(materialized='batch_replace') }}

select *
from
    {{ landed('gladly', 'conversation_items__message_data__options', parent='bronze_gladly__conversation_items') }}

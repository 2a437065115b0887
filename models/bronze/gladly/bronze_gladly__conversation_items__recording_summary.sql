{{ config(materialized='batch_replace') }}

select *
from
    {{ landed('gladly', 'conversation_items__recording_summary', parent='bronze_gladly__conversation_items') }}

{{ config(materialized='batch_replace') }}

select * from {{ landed('gladly', 'conversation_items__content__to', parent='bronze_gladly__conversation_items') }}

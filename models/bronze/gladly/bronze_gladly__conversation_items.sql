{{ config(materialized='bronze_merge', pre_hook="{{ normalize_nested('gladly', 'conversation_items') }}") }}

select * from {{ landed('gladly', 'conversation_items') }}

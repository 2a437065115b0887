{{ config(materialized='batch_replace') }}

select * from {{ landed('gladly', 'conversation_timestamps') }}

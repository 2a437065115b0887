{{ config(materialized='batch_replace') }}

select * from {{ landed('gladly', 'contact_timestamps') }}

{{ config(materialized='batch_replace') }}

select * from {{ landed('gladly', 'customers__phone_numbers', parent='bronze_gladly__customers') }}

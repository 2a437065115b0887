{{ config(materialized='batch_replace') }}

select * from {{ landed('gladly', 'customers__email_addresses', parent='bronze_gladly__customers') }}

{{ config(materialized='bronze_merge') }}

select * from {{ landed('gladly', 'contact_export') }}

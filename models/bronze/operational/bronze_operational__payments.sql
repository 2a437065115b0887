{{ config(materialized='bronze_merge') }}

select * from {{ landed('operational', 'payments') }}

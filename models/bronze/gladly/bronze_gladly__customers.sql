{{ config(materialized='bronze_merge', pre_hook="{{ normalize_nested('gladly', 'customers') }}") }}

select * from {{ landed('gladly', 'customers') }}

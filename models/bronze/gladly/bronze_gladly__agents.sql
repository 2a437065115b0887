{{ config(materialized='truncate_insert') }}

select * from {{ landed('gladly', 'agents') }}

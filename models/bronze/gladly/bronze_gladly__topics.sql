{{ config(materialized='truncate_insert', meta={'optional_columns': ['parent_id']}) }}

select * from {{ landed('gladly', 'topics') }}

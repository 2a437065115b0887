{{ config(materialized='bronze_merge', meta={'optional_columns': ['billable_resolution_y_n']}) }}

select * from {{ landed('gladly', 'conversation_export') }}

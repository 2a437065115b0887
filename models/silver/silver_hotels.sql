{{ config(
    materialized='incremental',
    incremental_strategy='record_hash_merge',
    unique_key='record_key',
    on_schema_change='fail',
    post_hook='{{ save_watermark() }}'
) }}

with hotels as (

    select * from {{ ref('bronze_operational__hotels') }}
    {% if is_incremental() %} where update_date >= {{ watermark() }} {% endif %}

),

final as (

    select
        -- keys; ids stay text, nobody calculates with them
        hotel_id,
        nullif(code, '') as hotel_code,
        -- text
        nullif(name, '') as hotel_name,
        nullif(city, '') as city,
        nullif(country, '') as country_code,
        -- measures
        {{ whole_number('rooms') }} as room_count,
        {{ decimal_number('rating', scale=2) }} as rating,
        -- yes or no
        {{ yes_or_no('is_active') }} as is_active,
        -- moments
        {{ calendar_date('opened_on') }} as opened_date,
        {{ moment('created_at') }} as created_at,
        {{ moment('updated_at') }} as updated_at,
        -- load
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from hotels

)

select * from final

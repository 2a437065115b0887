{{ config(
    materialized='incremental',
    incremental_strategy='record_hash_merge',
    unique_key='record_key',
    on_schema_change='fail',
    post_hook='{{ save_watermark() }}'
) }}

with guests as (

    select * from {{ ref('bronze_operational__guests') }}
    {% if is_incremental() %} where update_date >= {{ watermark() }} {% endif %}

),

final as (

    select
        -- keys; ids stay text, nobody calculates with them
        guest_id,
        -- text
        nullif(full_name, '') as guest_name,
        nullif(email, '') as email,
        nullif(phone, '') as phone,
        nullif(country, '') as country_code,
        -- yes or no
        {{ yes_or_no('is_active') }} as is_active,
        -- moments
        {{ moment('created_at') }} as created_at,
        {{ moment('updated_at') }} as updated_at,
        -- load
        record_key,
        record_hash,
        batch_id,
        pipeline_run_id,
        date_to_warehouse,
        update_date
    from guests

)

select * from final

with days as (

    {{ date_spine('day', "cast('2000-01-01' as date)", "cast('2045-01-01' as date)") }}

),

final as (

    select
        cast(date_day as date) as calendar_date,
        cast(date_trunc('month', date_day) as date) as month_date,
        cast(extract(year from date_day) as bigint) as year_number
    from days

)

select * from final

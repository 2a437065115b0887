{#- Lists the versions of a snapshot that do not end where the next one of their record begins. -#}
{% test has_unbroken_versions(model) %}

    with versions as (

        select
            record_key,
            dbt_valid_from,
            dbt_valid_to,
            lead(dbt_valid_from) over (partition by record_key order by dbt_valid_from) as next_valid_from
        from {{ model }}

    )

    select * from versions where dbt_valid_to is distinct from next_valid_from or dbt_valid_to <= dbt_valid_from

{% endtest %}

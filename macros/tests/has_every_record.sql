{#- Lists the records that silver and its bronze table do not both hold, in the same version. -#}
{% test has_every_record(model, bronze) %}

    with silver as (

        select record_key, record_hash from {{ model }}

    )

    select
        silver.record_key,
        bronze.record_key as bronze_record_key
    from silver
    full outer join {{ bronze }} as bronze
        on silver.record_key = bronze.record_key and silver.record_hash = bronze.record_hash
    where silver.record_key is null or bronze.record_key is null

{% endtest %}

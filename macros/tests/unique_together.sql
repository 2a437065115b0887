{#- Lists the combinations of `columns` that more than one row has: the grain of a table with several keys. -#}
{% test unique_together(model, columns) %}

    select {{ columns | join(', ') }}, count(*) as row_count
    from {{ model }}
    group by {{ columns | join(', ') }}
    having count(*) > 1

{% endtest %}

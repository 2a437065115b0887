{#-
  Lists the records whose text could not be cast: bronze has a text, silver has nothing. `columns` names, for every silver
  column, the bronze column it came from. One pass over the table, however many columns.
-#}
{% test cast_succeeds(model, bronze, columns) %}

    {%- set losses = [] -%}
    {%- for silver_column, bronze_column in columns.items() -%}
        {%- do losses.append(
            'case when silver.' ~ silver_column ~ ' is null and trim(bronze.' ~ bronze_column ~ ") <> '' then '"
            ~ silver_column ~ " ' else '' end"
        ) -%}
    {%- endfor %}

    with compared as (

        select silver.record_key, {{ losses | join('\n            || ') }} as lost_columns
        from {{ model }} as silver
        inner join {{ bronze }} as bronze
            on silver.record_key = bronze.record_key and silver.record_hash = bronze.record_hash

    )

    select * from compared where lost_columns <> ''

{% endtest %}

{#-
  Lists the records whose text could not be cast: bronze has a text, silver has nothing. `columns` names, for every silver
  column, the bronze column it came from. One pass over the table, however many columns.
-#}
{% test cast_succeeds(model, bronze, columns, key={'record_key': 'record_key', 'record_hash': 'record_hash'}) %}

    {%- set losses = [] -%}
    {%- for silver_column, bronze_column in columns.items() -%}
        {%- do losses.append(
            'case when silver.' ~ silver_column ~ ' is null and trim(bronze.' ~ bronze_column ~ ") <> '' then '"
            ~ silver_column ~ " ' else '' end"
        ) -%}
    {%- endfor %}
    {%- set conditions = [] -%}
    {%- for silver_column, bronze_column in key.items() -%}
        {%- do conditions.append('silver.' ~ silver_column ~ ' = bronze.' ~ bronze_column) -%}
    {%- endfor %}

    with compared as (

        select silver.record_key, {{ losses | join('\n            || ') }} as lost_columns
        from {{ model }} as silver
        inner join {{ bronze }} as bronze on {{ conditions | join(' and ') }}

    )

    select * from compared where lost_columns <> ''

{% endtest %}

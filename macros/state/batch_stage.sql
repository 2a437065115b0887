{#-
  Makes the internal stage that holds Snowflake's batches. Plain Jinja, as state_tables is: dbt and the loaders render this
  very file.
-#}
{% macro batch_stage(schema) -%}
create stage if not exists {{ schema }}.batches comment = 'Batches of the loaders, as etl_batches names them'
{%- endmacro %}

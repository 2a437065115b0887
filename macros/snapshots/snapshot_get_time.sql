{#-
  The type of a snapshot's moments, for dbt asks this macro: a zoned one, as update_date is. dbt's own is without a zone, and
  so means another moment in every session's time zone.
-#}
{% macro default__snapshot_get_time() -%}
    cast(current_timestamp as timestamptz)
{%- endmacro %}

{#- Post-hook of an incremental silver model: its watermark is the highest update_date it holds; an empty one has none. -#}
{% macro save_watermark() -%}
    merge into {{ state_table('etl_watermarks') }} as mark
    using (select max(update_date) as reached from {{ this }}) as silver
    on mark.table_name = '{{ this.identifier }}'
    when matched and silver.reached is not null
        then update set last_extracted = silver.reached, last_run_at = {{ warehouse_clock() }}
    when not matched and silver.reached is not null
        then insert (table_name, last_extracted, last_run_at)
        values ('{{ this.identifier }}', silver.reached, {{ warehouse_clock() }})
{%- endmacro %}

{#-
  Refuses a batch whose records cannot be told apart: a missing key, or one key with two contents. Sets load.key_count, how
  many keys it has.
-#}
{% macro check_records(load, batch) -%}
    {%- set keys = landing_name() ~ '_keys' -%}
    {%- set found = run_query(
        'select count(*), coalesce(sum(case when is_blank then 1 else 0 end), 0)'
        ~ ', (select count(*) from (select record_key from ' ~ keys ~ ' group by record_key) as one_a_key) from ' ~ keys
    ).rows[0] | map('int') | list -%}
    {%- do load.update({'key_count': found[2]}) -%}
    {%- if found[0] != batch.row_count -%}
        {%- do refuse_batch(batch, found[0] ~ ' records are read of ' ~ batch.row_count
            ~ '; a bronze model keeps every record, and the stored batch must be as it was landed') -%}
    {%- endif -%}
    {%- if found[1] > 0 -%}
        {%- set blank = run_query(
            'select record_number, record_number + 1 from ' ~ keys ~ ' where is_blank order by record_number limit 5'
        ) -%}
        {%- do refuse_batch(
            batch, load.record_key | join(', ') ~ ' is NULL, empty or blank in ' ~ found[1]
            ~ ' of ' ~ batch.row_count ~ ' records: record ' ~ blank.columns[0].values() | map('int') | join(', ')
            ~ ' (line ' ~ blank.columns[1].values() | map('int') | join(', ') ~ ' while no value spans lines)'
            ~ '; have the source corrected and load again'
        ) -%}
    {%- endif -%}
    {%- if load.order_by -%}
        {%- do check_order_values(load, batch) -%}
    {%- endif -%}
    {%- if load.key_count < batch.row_count -%}
        {%- do check_contents(load, batch) -%}
    {%- endif -%}
{%- endmacro %}

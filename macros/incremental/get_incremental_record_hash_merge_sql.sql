{#- Silver over a merged bronze table: by record_key, and only where the hash is distinct. -#}
{% macro get_incremental_record_hash_merge_sql(arg_dict) -%}
    {%- set columns = arg_dict['dest_columns'] | map(attribute='quoted') | list -%}
    {%- set sets = [] -%}
    {%- for column in columns -%}
        {%- do sets.append(column ~ ' = changes.' ~ column) -%}
    {%- endfor -%}
    merge into {{ arg_dict['target_relation'] }} as target
    using {{ arg_dict['temp_relation'] }} as changes
    on target.record_key = changes.record_key
    when matched and target.record_hash is distinct from changes.record_hash
        then update set {{ sets | join(', ') }}
    when not matched
        then insert ({{ columns | join(', ') }}) values (changes.{{ columns | join(', changes.') }})
{%- endmacro %}

{% materialization truncate_insert, default %}
    {{ return(load_bronze('truncate_insert', replace_table)) }}
{% endmaterialization %}

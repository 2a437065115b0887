{% materialization bronze_merge, default %}
    {{ return(load_bronze('bronze_merge', merge_batch)) }}
{% endmaterialization %}

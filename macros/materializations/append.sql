{% materialization append, default %}
    {{ return(load_bronze('append', insert_batch)) }}
{% endmaterialization %}

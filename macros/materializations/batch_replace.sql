{% materialization batch_replace, default %}
    {{ return(load_bronze('batch_replace', replace_batch)) }}
{% endmaterialization %}

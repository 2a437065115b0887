{#- Where this incremental model has come to, as a literal: `where update_date >= {{ watermark() }}`. -#}
{% macro watermark() -%}
    {{ return(moment_literal(watermark_text())) }}
{%- endmacro %}

{#-
  Overrides dbt's: true when this model's table exists, no full refresh is asked for, and its watermark is set. A watermark
  that was deleted or set to NULL makes the next run read everything; the hash gate keeps that a no-op.
-#}
{% macro is_incremental() -%}
    {{ return(
        execute and this is not none and not should_full_refresh()
        and load_relation(this) is not none and watermark_text() is not none
    ) }}
{%- endmacro %}

{#-
  The recipe of every bronze load: each pending batch, oldest first, in one transaction of its own: rows, ledger and
  watermark move together or not at all. `apply` is the strategy: it changes the target's rows and returns its counts.
-#}
{% macro load_bronze(strategy, apply) -%}
    {%- do end_open_transaction() -%}
    {%- do run_load_hooks(pre_hooks) -%}
    {%- set load = bronze_load(strategy) -%}
    {%- if should_full_refresh() -%}
        {%- do log(model.name ~ ': --full-refresh leaves bronze as it is; nothing is dropped or loaded twice', info=true) -%}
    {%- endif -%}
    {%- do create_bronze_table(load) -%}
    {%- set loaded = [] -%}
    {%- for batch in ([] if flags.EMPTY else ledger_batches(load.source_table, "status = 'landed'")) -%}
        {%- set counts = load_batch(load, batch, apply) -%}
        {%- do loaded.append(counts) if counts is not none -%}
    {%- endfor -%}
    {%- do apply_grants(load.target, config.get('grants'), should_revoke=true) -%}
    {%- do persist_docs(load.target, model) -%}
    {%- do run_load_hooks(post_hooks) -%}
    {%- call noop_statement('main', load_summary(loaded), 'LOAD', loaded | sum(attribute='inserted')) -%}
        {{ load.sql }}
    {%- endcall -%}
    {{ return({'relations': [load.target]}) }}
{%- endmacro %}

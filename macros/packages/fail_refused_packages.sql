{#-
  On run end: fails a run whose root models met a raw batch that could not be made a package. Not before: what came before
  it, and every other source, is loaded by then. By a statement that the database refuses, since dbt ends at once, without
  its results, where a hook raises an error of its own.
-#}
{% macro fail_refused_packages(results) -%}
    {%- if execute and not flags.EMPTY -%}
        {%- set read = [] -%}
        {%- for result in results if result.node.resource_type == 'model' -%}
            {%- do read.extend(result.node.depends_on.nodes) -%}
        {%- endfor -%}
        {%- set refused = run_query(
            'select source_table, batch_id, reason from ' ~ state_table('etl_batches')
            ~ " where status = 'landed' and reason is not null and right(source_table, 4) = '_raw' order by extracted_at"
        ).rows if read else [] -%}
        {%- set problems = [] -%}
        {%- for one in graph.sources.values() if one.unique_id in read -%}
            {%- for row in refused if row[0] == one.source_name ~ '.' ~ one.name ~ '_raw' -%}
                {%- do problems.append(
                    row[0] ~ ' ' ~ row[1] ~ ': ' ~ row[2] ~ '; until then what was read later waits, or set it aside:'
                    ~ ' python -m loaders.status reject ' ~ row[0] ~ ' ' ~ row[1]
                ) -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- if problems -%}
            {{ return('select cast(' ~ text_literal('REFUSED: ' ~ problems | join('; ')) ~ ' as integer)') }}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

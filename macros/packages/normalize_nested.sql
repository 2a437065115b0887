{#-
  The pre-hook of a nested root model: makes every pending raw batch of <source>.<table>_raw a package, that is batches of
  the root and of all its children, which their models then load like any other. A batch that is refused stays pending
  with its reason, and so do those behind it; what came before it is loaded, and fail_refused_packages ends the run.
-#}
{% macro normalize_nested(source_name, table_name) -%}
    {%- if execute and not flags.EMPTY and flags.WHICH in ('run', 'build') -%}
        {%- set tables = {} -%}
        {%- set children = [] -%}
        {%- for one in graph.sources.values() if one.source_name == source_name -%}
            {%- do tables.update({one.name: one}) -%}
            {%- do children.append(one.name) if one.name.startswith(table_name ~ '__') -%}
        {%- endfor -%}
        {%- if table_name not in tables or 'nested' not in tables[table_name].config.meta -%}
            {%- do exceptions.raise_compiler_error(
                model.name ~ ': declare ' ~ source_name ~ '.' ~ table_name ~ ' in the sources YAML, with its options under'
                ~ ' config.meta.nested'
            ) -%}
        {%- endif -%}
        {%- set said = run_python('loaders.packages:normalize_pending', {
            'engine': target.type,
            'schema': target.schema,
            'source': source_name,
            'table': table_name,
            'children': children,
            'options': tables[table_name].config.meta['nested'],
            'record_key': (model.config.get('meta') or {}).get(
                'record_key', tables[table_name].config.meta.get('record_key', [])
            ),
        }) -%}
        {%- for line in said -%}
            {%- do log(line, info=true) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{#-
  Calls a Python function from a hook or a materialization, on the model's own connection: `function` is
  'module:function', called with the open database connection and then `arguments` by name. It runs where dbt runs, in
  dbt's own process; an error it raises fails the model.
-#}
{% macro run_python(function, arguments={}) -%}
    {%- if execute -%}
        {%- if adapter.run_python is not defined -%}
            {%- do exceptions.raise_compiler_error(
                'run_python needs the Python side of this project where dbt runs: pip install -e . in its folder'
            ) -%}
        {%- endif -%}
        {{ return(adapter.run_python(function, arguments)) }}
    {%- endif -%}
{%- endmacro %}

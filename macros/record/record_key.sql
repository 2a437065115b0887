{#-
  The natural key as text. One part stands verbatim; several are joined by `|`, with `\` and `|` inside a part escaped
  by `\`, so that different parts never make the same key.
-#}
{% macro record_key(columns, use_hash=false) -%}
    {%- if columns | length == 1 -%}
        {%- set key = columns[0] -%}
    {%- else -%}
        {%- set parts = [] -%}
        {%- for column in columns -%}
            {%- do parts.append(
                "replace(replace(" ~ column ~ ", chr(92), chr(92) || chr(92)), '|', chr(92) || '|')"
            ) -%}
        {%- endfor -%}
        {%- set key = parts | join(" || '|' || ") -%}
    {%- endif -%}
    {{ return('md5(' ~ key ~ ')' if use_hash else key) }}
{%- endmacro %}

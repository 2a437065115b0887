"""What the YAML says of personal data: which columns hold what of a person, and which are the keys of sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loaders.erase.person import IDENTIFIERS
from loaders.errors import SettingsError
from loaders.settings import Target, read_yaml
from loaders.sources import declared_tables

TEXT = "text"
# Personal as well, but nobody is found by it: it goes with its row.
_CONTENT = ("name", "phone", "address")
_WORDS = (*IDENTIFIERS, TEXT, *_CONTENT, False)
_LAYERS = ("stage", "bronze", "silver", "gold", "snapshots", "seeds", "hotelmind_warehouse", "dbt_test__audit")


@dataclass(frozen=True)
class Declaration:
    """`tags`: the word under config.meta.personal, by table and column; a table is a source table or a model.

    `texts` are the names of all columns that are tagged as text somewhere: what is made of one keeps its name, mostly.
    """

    schemas: tuple[str, ...]
    tags: Mapping[str, Mapping[str, str | bool]]
    texts: frozenset[str]
    record_keys: Mapping[str, tuple[str, ...]]


def read_declaration(project: Path, target: Target) -> Declaration:
    """Read all YAML of the project; SettingsError that names every unknown word."""
    tags: dict[str, dict[str, str | bool]] = {}
    problems = []
    for path in sorted(path for folder in ("models", "snapshots") for path in (project / folder).rglob("*.yml")):
        for table, column, word in _tagged(read_yaml(path) or {}):
            tags.setdefault(table, {})[column] = word
            if word not in _WORDS:
                words = ", ".join(map(str, _WORDS)).replace("False", "false")
                problems.append(f"{path.name}: {table}.{column}: personal is {word!r}, expected one of: {words}")
    if problems:
        raise SettingsError("; ".join(problems))
    layers = dict.fromkeys([*_LAYERS, *_schemas(read_yaml(project / "dbt_project.yml"))])
    return Declaration(
        schemas=tuple(target.schema_name(name) for name in layers),
        tags=tags,
        texts=frozenset(column for columns in tags.values() for column, word in columns.items() if word == TEXT),
        record_keys={str(table): table.record_key for table in declared_tables(project)},
    )


def _tagged(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    sources = document.get("sources") or []
    tables = [(f"{source['name']}.{table['name']}", table) for source in sources for table in source.get("tables", [])]
    for kind in ("models", "snapshots", "seeds"):
        tables += [(node["name"], node) for node in document.get(kind) or []]
    for name, table in tables:
        for column in table.get("columns") or []:
            meta = (column.get("config") or {}).get("meta") or {}
            if "personal" in meta:
                yield name, column["name"], meta["personal"]


def _schemas(settings: Any) -> Iterator[str]:
    """Every `+schema` of dbt_project.yml."""
    for key, value in settings.items() if isinstance(settings, dict) else ():
        if key == "+schema":
            yield value
        else:
            yield from _schemas(value)

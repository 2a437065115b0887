"""Source tables as they are declared, once, in the dbt sources YAML (models/bronze/*/_*__sources.yml)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loaders.errors import SettingsError
from loaders.names import RESERVED_WORDS
from loaders.settings import read_yaml, yaml_files

_IDENTIFIER = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(frozen=True)
class SourceTable:
    """One declared thing to load, such as `gladly.contact_export`; `meta` is its config.meta over its source's."""

    source: str
    name: str
    path: Path
    columns: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.source}.{self.name}"

    @property
    def record_key(self) -> tuple[str, ...]:
        return tuple(self.meta.get("record_key", ()))

    @property
    def column_map(self) -> Mapping[str, str]:
        """Explicit column names by the source's own header."""
        return self.meta.get("columns") or {}


@dataclass(frozen=True)
class Option:
    """What a key of config.meta may hold: a type, and the words it is one of where there are few."""

    type: type | tuple[type, ...]
    choices: tuple[object, ...] = ()

    def problem(self, value: object) -> str | None:
        if not isinstance(value, self.type) or (isinstance(value, bool) and self.type is not bool):
            names = self.type if isinstance(self.type, tuple) else (self.type,)
            return f"is {value!r}, expected {' or '.join(one.__name__ for one in names)}"
        if self.choices and value not in self.choices:
            return f"is {value!r}, expected one of: {', '.join(map(str, self.choices))}"
        if isinstance(value, (int, float)) and value < 0:
            return f"is {value!r}, expected 0 or more"
        return None


# Options that every kind of source has.
COMMON_OPTIONS = {
    "record_key": Option(list),
    "columns": Option(dict),
}


def declared_tables(project: Path) -> list[SourceTable]:
    """Every table of every source, as it is declared."""
    return [table for path in yaml_files(project) for table in _tables(path)]


def read_sources(
    project: Path, source: str, options: Mapping[str, Option], *, only: Sequence[str] = ()
) -> list[SourceTable]:
    """The tables of one source, checked against `options`; raises SettingsError that names all that is wrong."""
    tables = [table for table in declared_tables(project) if table.source == source]
    problems = [problem for table in tables for problem in _problems(table, {**COMMON_OPTIONS, **options})]
    known = {table.name for table in tables}
    problems += [
        f"--only {name}: no such table of source {source!r}; there are: {', '.join(sorted(known))}"
        for name in only
        if name.removeprefix(f"{source}.") not in known
    ]
    if problems:
        raise SettingsError("; ".join(problems))
    wanted = {name.removeprefix(f"{source}.") for name in only} or known
    return [table for table in tables if table.name in wanted]


def _tables(path: Path) -> list[SourceTable]:
    tables = []
    for source in (read_yaml(path) or {}).get("sources", []):
        shared = (source.get("config") or {}).get("meta") or {}
        for table in source.get("tables", []):
            meta = {**shared, **((table.get("config") or {}).get("meta") or {})}
            columns = tuple(column["name"] for column in table.get("columns", []))
            tables.append(SourceTable(source["name"], table["name"], path, columns, meta))
    return tables


def _problems(table: SourceTable, options: Mapping[str, Option]) -> list[str]:
    problems = []
    for key, value in table.meta.items():
        option = options.get(key)
        problem = option.problem(value) if option else f"is unknown, expected: {', '.join(sorted(options))}"
        if problem:
            problems.append(f"{table.path.name}: {table}: {key} {problem}")
    names = [*table.record_key, *table.column_map.values(), table.name]
    problems += [
        f"{table.path.name}: {table}: {name!r} is not a lower-case name, or a reserved word"
        for name in names
        if not (isinstance(name, str) and _IDENTIFIER.fullmatch(name)) or name in RESERVED_WORDS
    ]
    return problems

"""What a delivery would become, without writing anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from loaders.nested.chunks import walk_objects
from loaders.nested.columns import count_rows
from loaders.nested.errors import RefusedError
from loaders.nested.json_lines import JsonLines, Objects, as_input
from loaders.nested.options import NestedOptions
from loaders.nested.package import TableFacts, table_facts
from loaders.nested.registry import Registry
from loaders.nested.table import Table
from loaders.nested.walk import Walk


@dataclass(frozen=True)
class PreviewTable:
    """A table that would be made; `kinds` holds, for every value column, how often it has values of which kind."""

    facts: TableFacts
    kinds: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Preview:
    """Tables, parents before children, every problem that would refuse the delivery, and options no path of it needs.

    A name that cannot be had does not end the reading, and its values are left out; what cannot be kept at all does.
    """

    tables: tuple[PreviewTable, ...]
    problems: tuple[str, ...]
    unused: tuple[str, ...]
    record_count: int
    blank_count: int

    def lines(self) -> Iterator[str]:
        """For people."""
        yield f"{self.record_count:,} records, {self.blank_count:,} blank lines"
        for table in self.tables:
            facts = table.facts
            yield f"{facts.name}: {facts.row_count:,} rows{f' from {facts.path}' if facts.path else ''}"
            for column, kinds in table.kinds.items():
                seen = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
                yield f"    {column}: {seen or 'nothing'} ({facts.columns[column]})"
        for option in self.unused:
            yield f"unused: {option}"
        for problem in self.problems:
            yield f"problem: {problem}"

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        tables = [
            {
                "table": one.facts.name,
                "path": one.facts.path,
                "parent": one.facts.parent,
                "row_count": one.facts.row_count,
                "columns": [
                    {"name": name, "source": one.facts.columns[name], "kinds": dict(kinds)}
                    for name, kinds in one.kinds.items()
                ],
            }
            for one in self.tables
        ]
        counts = {"record_count": self.record_count, "blank_count": self.blank_count}
        return {**counts, "tables": tables, "problems": list(self.problems), "unused": list(self.unused)}


def preview(
    objects: Iterable[Mapping[str, Any]] | JsonLines, options: NestedOptions, *, registry: Registry | None = None
) -> Preview:
    """Walk `objects` and keep nothing but what was seen."""
    source = as_input(objects)
    refusals: list[RefusedError] = []
    walk = Walk(options, registry.copy() if registry else Registry(), refusals)
    seen = _Seen(source, refusals)
    try:
        walk_objects(source, walk, store=seen.store, look=seen.look)
    except RefusedError as error:
        refusals.append(error)
        for table in walk.tables:
            count_rows(table)
    tables = tuple(PreviewTable(table_facts(table), _kinds(table)) for table in walk.tables)
    return Preview(tables, tuple(map(str, refusals)), _unused(options, walk), seen.record_count, source.blank_count)


class _Seen:
    """Counts objects, and gives the refusals that each of them met its number; rows are not kept."""

    def __init__(self, source: JsonLines | Objects, refusals: list[RefusedError]) -> None:
        self.record_count = 0
        self._source = source
        self._refusals = refusals

    def store(self, _table: Table, _rows: pa.Table) -> None: ...

    def look(self, number: int, _root_id: str, _value: Any, _is_lesson: bool) -> None:
        self.record_count += 1
        for place, refusal in enumerate(self._refusals):
            if not refusal.where:
                self._refusals[place] = refusal.at(self._source.where(number))


def _kinds(table: Table) -> dict[str, Mapping[str, int]]:
    slots = {slot.column: slot.labels for slot in (*table.slots.values(), table.element) if slot.column}
    return {name: slots.get(name, {}) for name in table.columns}


def _unused(options: NestedOptions, walk: Walk) -> tuple[str, ...]:
    """Entries whose path never came: a mistyped one looks like that."""
    tables = {table.text for table in walk.tables}
    slots = [slot for table in walk.tables for slot in (*table.slots.values(), table.element)]
    columns = {slot.text for slot in slots if slot.column}
    met = {"tables": tables, "child_keys": tables, "columns": columns, "keep_json": columns}
    return tuple(
        f"{option}: {path} never came"
        for option, paths in met.items()
        for path in getattr(options, option)
        if path not in paths
    )

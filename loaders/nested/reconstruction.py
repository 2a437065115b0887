"""Tables back to objects: the proof that nothing was lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from loaders.names import RECORD_NUMBER
from loaders.nested.errors import RebuildError
from loaders.nested.kinds import parse_kinds
from loaders.nested.naming import JSON_KINDS, LIST_INDEX, PARENT_ROW_ID, ROOT_ROW_ID, ROW_ID, TECHNICAL_COLUMNS
from loaders.nested.package import StoredTable, TableFacts
from loaders.nested.path import Step, parse_path
from loaders.nested.scalar import PARSERS


class HasTables(Protocol):
    """A package, or a generation."""

    @property
    def tables(self) -> Mapping[str, StoredTable]: ...


def rebuild(package: HasTables) -> Iterator[dict[str, Any]]:
    """The objects that a package or a generation was made of, in their order; keys may stand in another order.

    RebuildError where the tables do not fit together. Numbers come back as in JsonLines.
    """
    return (value for _, value in rebuild_records(package.tables.values()))


def rebuild_records(tables: Iterable[StoredTable], *, roots: pa.Array | None = None) -> Iterator[tuple[int, Any]]:
    """Each object with its number, window by window; `roots` are the row ids of those that are wanted."""
    root, *children = tables
    cursors = [_Cursor(child, roots) for child in children]
    facts = [root.facts, *(child.facts for child in children)]
    for batch in root.batches(roots):
        window = [cursor.take(batch.column(ROW_ID)) for cursor in cursors]
        yield from _objects(facts, [batch, *window])
    for cursor in cursors:
        cursor.check_end()


class _Cursor:
    """The rows of a child table, taken as their roots come up: both are stored in the order of the source."""

    def __init__(self, table: StoredTable, roots: pa.Array | None) -> None:
        self._name = table.facts.name
        self._batches = table.batches(roots)
        self._rest: list[pa.RecordBatch] = []
        self._nothing = pa.table(dict.fromkeys(table.facts.all_columns, pa.array([], pa.string())))

    def take(self, roots: pa.Array) -> pa.Table:
        """The rows of these roots."""
        taken = []
        while batch := self._next():
            inside = pc.is_in(batch.column(ROOT_ROW_ID), roots)
            count = pc.index(inside, pa.scalar(value=False)).as_py()
            if count >= 0:
                taken.append(batch.slice(0, count))
                self._rest.append(batch.slice(count))
                break
            taken.append(batch)
        return pa.Table.from_batches(taken) if taken else self._nothing

    def check_end(self) -> None:
        if batch := self._next():
            root = batch.column(ROOT_ROW_ID)[0].as_py()
            raise RebuildError(f"table {self._name!r}: rows of root {root} belong to no root, or stand out of order")

    def _next(self) -> pa.RecordBatch | None:
        while batch := self._rest.pop() if self._rest else next(self._batches, None):
            if batch.num_rows:
                return batch
        return None


def _objects(tables: list[TableFacts], window: list[pa.Table]) -> Iterator[tuple[int, Any]]:
    """The objects of one window, built from the deepest tables upwards."""
    children: dict[str, list[tuple[Step, dict[str, Any]]]] = {table.name: [] for table in tables}
    for table, data in zip(reversed(tables), reversed(window), strict=True):
        rows = _rows(table, data)
        by_id = dict(zip(data.column(ROW_ID).to_pylist(), rows, strict=True))
        for step, values in children[table.name]:
            for parent, value in values.items():
                if parent not in by_id:
                    raise RebuildError(f"table {table.name!r}: no row {parent}, which is a parent")
                by_id[parent][step] = value
        # A row that holds its element itself is that, not a mapping.
        objects = [row.get(None, row) for row in rows]
        if table.parent is None:
            yield from zip(data.column(RECORD_NUMBER).to_pylist(), objects, strict=True)
        else:
            children[table.parent].append((parse_path(table.path)[-1], _by_parent(table, data, objects)))


def _rows(table: TableFacts, data: pa.Table) -> list[dict[Step, Any]]:
    """The single values of every row by source key."""
    steps = {name: parse_path(path)[-1] for name, path in table.columns.items() if name not in TECHNICAL_COLUMNS}
    rows: list[dict[Step, Any]] = [{} for _ in range(data.num_rows)]
    for name, step in steps.items():
        column = data.column(name)
        if column.null_count < len(column):
            for row, text in zip(rows, column.to_pylist(), strict=True):
                if text is not None:
                    row[step] = text
    for row, kinds in zip(rows, data.column(JSON_KINDS).to_pylist(), strict=True):
        if kinds is not None:
            _apply_kinds(table, row, steps, kinds)
    return rows


def _apply_kinds(table: TableFacts, row: dict[Step, Any], steps: Mapping[str, Step], kinds: str) -> None:
    """Turn the texts that are none into what they are."""
    try:
        for name, kind in parse_kinds(kinds):
            step = steps[name]
            row[step] = PARSERS[kind](row.get(step, ""))
    except (ValueError, ArithmeticError, KeyError) as error:
        raise RebuildError(f"table {table.name!r}: json_kinds {kinds!r} do not fit a row: {error}") from None


def _by_parent(table: TableFacts, data: pa.Table, values: list[Any]) -> dict[str, Any]:
    """One mapping or list for each parent."""
    found: dict[str, Any] = {}
    parents, indexes = data.column(PARENT_ROW_ID).to_pylist(), data.column(LIST_INDEX).to_pylist()
    for parent, index, value in zip(parents, indexes, values, strict=True):
        if index is None:
            if parent in found:
                raise RebuildError(f"table {table.name!r}: row {parent} has two values at path {table.path}")
            found[parent] = value
            continue
        elements = found.setdefault(parent, [])
        if not isinstance(elements, list) or str(len(elements)) != index:
            raise RebuildError(f"table {table.name!r}: the list of row {parent} has no element before {index}")
        elements.append(value)
    return found

"""A package: the tables that one delivery of objects became, with what is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from loaders.names import RECORD_NUMBER
from loaders.nested.naming import JSON_KINDS, LIST_INDEX, PARENT_ROW_ID, ROOT_ROW_ID, ROW_ID
from loaders.nested.registry import Binding, Registry
from loaders.nested.table import Table

PASSED, WARNED, NOT_EVALUATED, FAILED = "passed", "warned", "not evaluated", "failed"
# Rows read at once: so many objects are rebuilt at a time.
READ_ROWS = 1024
_LIST_KINDS = {"list", "object", "json"}


@dataclass(frozen=True)
class Verdict:
    """What a check of the whole package found; only a check that ran and found nothing has passed."""

    check: str
    verdict: str
    table: str | None = None
    count: int = 0
    detail: str = ""


@dataclass(frozen=True)
class TableFacts:
    """A table of a package. Its rows are text in `columns`, and a record number that no other row of it has.

    `columns` holds, for every column, its name and source path; that of `row_id` is the path of the table. `types`
    holds, for every column, what its values are: text, integer, number, boolean, json, null, ..., or several at once.
    """

    name: str
    path: str
    parent: str | None
    columns: Mapping[str, str]
    types: Mapping[str, str]
    row_count: int

    @property
    def all_columns(self) -> list[str]:
        """The columns of a stored row, in order."""
        return [*self.columns, RECORD_NUMBER]


class StoredTable(Protocol):
    """A table whose rows can be read again: all of them, or those of some roots, in the order of the source."""

    @property
    def facts(self) -> TableFacts: ...

    def batches(self, roots: pa.Array | None = None) -> Iterator[pa.RecordBatch]: ...

    def relation(self) -> Any: ...


@dataclass(frozen=True)
class MemoryTable:
    """A table held in memory."""

    facts: TableFacts
    data: pa.Table = field(repr=False)

    def batches(self, roots: pa.Array | None = None) -> Iterator[pa.RecordBatch]:
        return of_roots(self.data.to_batches(max_chunksize=READ_ROWS), self.facts.all_columns, roots)

    def relation(self) -> pa.Table:
        """What DuckDB reads."""
        return self.data

    def rows(self) -> list[dict[str, Any]]:
        """The rows by column."""
        rows: list[dict[str, Any]] = self.data.to_pylist()
        return rows


@dataclass(frozen=True)
class Package:
    """Tables by name, parents before children; none where there was no object.

    `bindings` are all names with their paths, those of earlier runs included: what the next run starts from.
    """

    root_table: str
    tables: Mapping[str, MemoryTable]
    bindings: tuple[Binding, ...]
    checks: tuple[Verdict, ...]
    record_count: int
    blank_count: int

    @property
    def registry(self) -> Registry:
        return Registry.from_bindings(self.bindings)


def table_facts(table: Table) -> TableFacts:
    """What is known of a table that has been filled."""
    parent = table.parent.text if table.parent else ""
    technical = {ROW_ID: table.text, PARENT_ROW_ID: parent, ROOT_ROW_ID: "", LIST_INDEX: ""}
    columns = {name: technical[name] for name in table.technical_columns} | table.columns | {JSON_KINDS: ""}
    types = dict.fromkeys(columns, "null") | dict.fromkeys([*table.technical_columns, JSON_KINDS], "text")
    types |= {LIST_INDEX: "integer"} if table.parent else {}
    for slot in (*table.slots.values(), table.element):
        if slot.column:
            types[slot.column] = _type(set(slot.labels))
    return TableFacts(
        name=table.name,
        path=table.text,
        parent=table.parent.name if table.parent else None,
        columns=columns,
        types=types,
        row_count=table.row_count,
    )


def root_column(columns: list[str]) -> str:
    """The column that says which root a row belongs to."""
    return ROOT_ROW_ID if ROOT_ROW_ID in columns else ROW_ID


def of_roots(batches: Iterable[pa.RecordBatch], columns: list[str], roots: pa.Array | None) -> Iterator[pa.RecordBatch]:
    """The rows of some roots, or all."""
    for batch in batches:
        yield batch if roots is None else batch.filter(pc.is_in(batch.column(root_column(columns)), roots))


def ordered(table: pa.Table, columns: list[str]) -> pa.Table:
    """The columns in order, with NULL for those that came up later."""
    names = set(table.schema.names)
    nulls = pa.nulls(table.num_rows, pa.string())
    return pa.table({name: table.column(name) if name in names else nulls for name in columns})


def _type(labels: set[str]) -> str:
    """One type for all of a column's values, or all of them where they do not go together."""
    labels = labels - {"null"} or labels
    if labels == {"integer", "number"}:
        return "number"
    if labels and labels <= _LIST_KINDS:
        return "json"
    return ", ".join(sorted(labels)) or "null"

"""The ledger (etl_batches) and the watermarks (etl_watermarks), as a loader reads and writes them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import jinja2

from loaders.attempt import LOADED, REJECTED, SUPERSEDED, Attempt
from loaders.batch import Batch, columns_of

# Of etl_batches.
_KEY = ("source_table", "batch_id", "pipeline_run_id")


class Connection(Protocol):
    """What the ledger needs of an engine: named parameters (`$name`); rows as tuples, or how many were changed."""

    def query(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]: ...

    def update(self, sql: str, parameters: Mapping[str, Any] | None = None) -> int: ...


@dataclass(frozen=True)
class PendingBatch:
    """A batch that has landed and is not loaded yet; `low` and `high` as in etl_batches."""

    batch_id: str
    low: datetime | None
    high: datetime | None


@dataclass(frozen=True)
class Progress:
    """How far one source table has come: loaded into bronze, and landed behind that."""

    watermark: datetime | None
    pending: tuple[PendingBatch, ...] = ()

    def chain_end(self) -> datetime | None:
        """The end of the unbroken chain of pending batches that starts at the watermark, or the watermark."""
        end, waiting = self.watermark, list(self.pending)
        while link := next((one for one in waiting if one.low == end and one.high != end), None):
            waiting.remove(link)
            end = link.high
        return end

    def is_first(self, batch_ids: Collection[str]) -> bool:
        """No watermark, and nothing pending but attempts that batches of these ids supersede."""
        return self.watermark is None and all(one.batch_id in batch_ids for one in self.pending)


class Ledger:
    """Statements on the state tables, in SQL that all engines share; `schema` is quoted where it must be."""

    def __init__(self, connection: Connection, schema: str) -> None:
        self._connection = connection
        self._schema = schema
        self._schema_name = schema.rpartition(".")[2].strip('"')

    def exists(self) -> bool:
        """Whether the state tables have been made; before that nothing has landed."""
        found = self._connection.query(
            "select count(*) from information_schema.tables where lower(table_schema) = lower($schema)"
            " and lower(table_name) in ('etl_batches', 'etl_watermarks')",
            {"schema": self._schema_name},
        )
        return bool(found[0][0] == 2)

    def create_tables(self) -> None:
        """Create both tables where they are missing, from the macro that dbt runs on run start."""
        path = Path(__file__).parents[1] / "macros" / "state" / "state_tables.sql"
        # Asked first: PostgreSQL refuses even `if not exists` to a role that may only use the schema.
        found = "select 1 from information_schema.schemata where lower(schema_name) = lower($schema)"
        if not self._connection.query(found, {"schema": self._schema_name}):
            self._connection.query(f"create schema {self._schema}")
        module: Any = jinja2.Environment(autoescape=False).from_string(path.read_text("utf-8")).module  # noqa: S701
        for statement in module.state_tables(self._schema).split(";"):
            if statement.strip():
                self._connection.query(statement)

    def progress(self, source_table: str) -> Progress:
        """The watermark and the pending batches of one source table, in the order they were read."""
        parameters = {"source_table": source_table}
        watermark = self._connection.query(
            f"select last_extracted from {self._schema}.etl_watermarks where table_name = $source_table",
            parameters,
        )
        pending = self._connection.query(
            f"select batch_id, low, high from {self._schema}.etl_batches"
            " where source_table = $source_table and status = 'landed' order by extracted_at, landed_at",
            parameters,
        )
        return Progress(watermark[0][0] if watermark else None, tuple(PendingBatch(*row) for row in pending))

    def locations(self) -> set[str]:
        """Where the batches of every ledger row are, or were before they were pruned."""
        rows = self._connection.query(f"select location from {self._schema}.etl_batches where location is not null")
        return {location for (location,) in rows}

    def watermarks(self) -> list[dict[str, Any]]:
        """Every row of etl_watermarks."""
        names = ["table_name", "last_extracted", "last_run_at", "rows_extracted"]
        rows = self._connection.query(
            f"select {', '.join(names)} from {self._schema}.etl_watermarks order by table_name"
        )
        return [dict(zip(names, row, strict=True)) for row in rows]

    def attempts(self) -> list[Attempt]:
        """Every row of etl_batches, in the order in which batches were read from their sources."""
        names = [one.name for one in fields(Attempt)]
        rows = self._connection.query(
            f"select {', '.join(names)} from {self._schema}.etl_batches order by source_table, extracted_at, landed_at"
        )
        return [Attempt(*row) for row in rows]

    def insert(self, batch: Batch, moment: Callable[[], datetime]) -> Batch:
        """Enter a batch as landed; an earlier pending attempt at the same batch is superseded by it.

        Entering it again (a crash came between, or another loader adopted it) changes nothing. In the caller's
        transaction.
        """
        batch = replace(batch, landed_at=batch.landed_at or moment())
        row = batch.ledger_row()
        self._connection.query(
            f"insert into {self._schema}.etl_batches (status, {', '.join(row)})"
            f" select 'landed', {', '.join(f'${name}' for name in row)}"
            f" where not exists (select 1 from {self._schema}.etl_batches where {_equal(_KEY)})",
            row,
        )
        self._connection.query(
            f"update {self._schema}.etl_batches set status = 'superseded', reason = $reason"
            " where source_table = $source_table and batch_id = $batch_id and status = 'landed'"
            " and extracted_at < $extracted_at",
            {
                "source_table": batch.source_table,
                "batch_id": batch.batch_id,
                "extracted_at": batch.extracted_at,
                "reason": f"read again by {batch.pipeline_run_id} before it was loaded",
            },
        )
        return batch

    def landed(self, source_table: str) -> list[Batch]:
        """The pending batches of one source table, in the order in which they were read."""
        names = [one.name for one in fields(Batch)]
        rows = self._connection.query(
            f"select {', '.join(names)} from {self._schema}.etl_batches"
            " where source_table = $source_table and status = 'landed' order by extracted_at, landed_at, batch_id",
            {"source_table": source_table},
        )
        return [Batch.from_ledger_row(dict(zip(names, row, strict=True))) for row in rows]

    def package_columns(self, root: str) -> list[tuple[str, Mapping[str, str]]]:
        """Every list of columns, each with its source path, that a nested root table and its children ever had."""
        rows = self._connection.query(
            f"select distinct source_table, columns from {self._schema}.etl_batches"
            " where (source_table = $root or substr(source_table, 1, length($child)) = $child)"
            " and columns is not null and status <> 'rejected'",
            {"root": root, "child": f"{root}__"},
        )
        return [(source_table, columns_of(text)) for source_table, text in rows]

    def claim(self, batch: Batch, moment: datetime, *, row_count: int, reason: str) -> bool:
        """Mark a raw batch as made into a package; false where it is not pending. In the caller's transaction."""
        changed = self._connection.update(
            f"update {self._schema}.etl_batches set status = 'loaded', loaded_at = $moment, reason = $reason,"
            " rows_inserted = $row_count, rows_updated = 0, rows_unchanged = 0, rows_deleted = 0"
            f" where {_equal(_KEY)} and status = 'landed'",
            {**_key(batch), "moment": moment, "row_count": row_count, "reason": reason},
        )
        return changed > 0

    def refuse(self, batch: Batch, reason: str) -> None:
        """Say why a batch stays pending."""
        self._connection.update(
            f"update {self._schema}.etl_batches set reason = $reason where {_equal(_KEY)} and status = 'landed'",
            {**_key(batch), "reason": reason},
        )

    def reject(self, attempt: Attempt, reason: str) -> bool:
        """Set a pending attempt aside; false where it is pending no longer. In the caller's transaction."""
        return self._change(attempt, REJECTED, reason)

    def replay(self, attempt: Attempt, *, pipeline_run_id: str, moment: datetime) -> bool:
        """Land the stored rows of an attempt once more, as an attempt of their own; in the caller's transaction.

        The attempt's own row stays and says so: a loaded one stays loaded, since it was. False where it has changed
        meanwhile.
        """
        names = [one.name for one in fields(Batch) if one.name not in ("pipeline_run_id", "landed_at")]
        self._connection.query(
            f"insert into {self._schema}.etl_batches (status, pipeline_run_id, landed_at, {', '.join(names)})"
            f" select 'landed', $again, $moment, {', '.join(names)} from {self._schema}.etl_batches"
            f" where {_equal(_KEY)} and status = $status",
            {**_key(attempt), "status": attempt.status, "again": pipeline_run_id, "moment": moment},
        )
        was = f"rejected ({attempt.reason})" if attempt.status == REJECTED else attempt.reason
        reason = f"{was}; replayed as {pipeline_run_id}" if was else f"replayed as {pipeline_run_id}"
        return self._change(attempt, LOADED if attempt.status == LOADED else SUPERSEDED, reason)

    def _change(self, attempt: Attempt, status: str, reason: str) -> bool:
        changed = self._connection.update(
            f"update {self._schema}.etl_batches set status = $status, reason = $reason"
            f" where {_equal(_KEY)} and status = $was",
            {**_key(attempt), "was": attempt.status, "status": status, "reason": reason},
        )
        return changed == 1


def _key(attempt: Attempt | Batch) -> dict[str, str]:
    return {name: getattr(attempt, name) for name in _KEY}


def _equal(names: Iterable[str]) -> str:
    return " and ".join(f"{name} = ${name}" for name in names)

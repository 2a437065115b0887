"""The ledger (etl_batches) and the watermarks (etl_watermarks), as a loader reads and writes them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import jinja2

from loaders.batch import Batch


class Connection(Protocol):
    """What the ledger needs of an engine: named parameters (`$name`), and rows as tuples."""

    def query(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]: ...


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

    def exists(self) -> bool:
        """Whether the state tables have been made; before that nothing has landed."""
        name = self._schema.rpartition(".")[2].strip('"')
        parameters = {"schema": name}
        found = self._connection.query(
            "select count(*) from information_schema.tables where lower(table_schema) = lower($schema)"
            " and lower(table_name) in ('etl_batches', 'etl_watermarks')",
            parameters,
        )
        return bool(found[0][0] == 2)

    def create_tables(self) -> None:
        """Create both tables where they are missing, from the macro that dbt runs on run start."""
        path = Path(__file__).parents[1] / "macros" / "state" / "state_tables.sql"
        self._connection.query(f"create schema if not exists {self._schema}")
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

    def batches(self, last: int) -> list[dict[str, Any]]:
        """Every pending batch, and the `last` others of each source table, oldest first."""
        names = ["source_table", "batch_id", "pipeline_run_id", "status", "row_count", "extracted_at", "loaded_at"]
        counts = ["rows_inserted", "rows_updated", "rows_unchanged", "rows_deleted", "reason"]
        rows = self._connection.query(
            f"select {', '.join(names + counts)} from (select *, row_number() over (partition by source_table,"
            f" status = 'landed' order by extracted_at desc) as age from {self._schema}.etl_batches) as aged"
            " where status = 'landed' or age <= $last order by source_table, extracted_at",
            {"last": last},
        )
        return [dict(zip(names + counts, row, strict=True)) for row in rows]

    def insert(self, batch: Batch, moment: Callable[[], datetime]) -> Batch:
        """Enter a batch as landed; an earlier pending attempt at the same batch is superseded by it.

        Entering it again (a crash came between, or another loader adopted it) changes nothing. In the caller's
        transaction.
        """
        batch = replace(batch, landed_at=batch.landed_at or moment())
        row = batch.ledger_row()
        same = {name: row[name] for name in ("source_table", "batch_id", "pipeline_run_id")}
        self._connection.query(
            f"insert into {self._schema}.etl_batches (status, {', '.join(row)})"
            f" select 'landed', {', '.join(f'${name}' for name in row)}"
            f" where not exists (select 1 from {self._schema}.etl_batches where {_equal(same)})",
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


def _equal(names: Iterable[str]) -> str:
    return " and ".join(f"{name} = ${name}" for name in names)

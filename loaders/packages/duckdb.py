"""Packages in a DuckDB warehouse: the files of a generation are the batches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from loaders.batch import Batch
from loaders.ledger import Connection
from loaders.nested.generation import TableFile, open_generation
from loaders.packages.raw_lines import parquet_lines
from loaders.packages.workplace import Begin, Line
from loaders.settings import Target
from loaders.stage.duckdb import DuckDBConnection, catalog


class DuckDBWorkplace:
    """The stage's folder, beside the database that dbt has open."""

    def __init__(self, handle: Any, target: Target) -> None:
        cursor = handle.cursor()
        self.connection: Connection = DuckDBConnection(cursor)
        self.state_schema = f"{catalog(cursor)}.{target.schema_name('hotelmind_warehouse')}"
        found = self.connection.query("select path from duckdb_databases() where database_name = current_database()")
        self._warehouse = Path(found[0][0]).resolve().parent
        self._stage = target.schema_name("stage")

    @contextmanager
    def lines(self, raw: Batch) -> Iterator[Iterator[Line]]:
        with parquet_lines(self._warehouse / str(raw.location), raw) as lines:
            yield lines

    def directory(self) -> nullcontext[Path]:
        return nullcontext(self._warehouse / self._stage)

    def store(self, batch: Batch, table: TableFile, begin: Begin) -> Batch:
        """Nothing has to be moved."""
        location = table.file.relative_to(self._warehouse).as_posix()
        return replace(batch, location=location, byte_count=table.byte_count, sha256=table.sha256)

    def discard(self, batches: list[Batch]) -> None:
        for directory in {(self._warehouse / str(batch.location)).parent for batch in batches}:
            open_generation(directory).drop()

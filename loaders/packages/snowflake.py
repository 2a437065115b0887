"""Packages in a Snowflake warehouse: every file of a generation is put into the internal stage."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from loaders.batch import Batch
from loaders.ledger import Connection
from loaders.nested.generation import TableFile
from loaders.packages.raw_lines import parquet_lines
from loaders.packages.workplace import Begin, Line
from loaders.settings import Target
from loaders.stage.snowflake import SnowflakeFiles
from loaders.stage.snowflake_session import SnowflakeConnection


class SnowflakeWorkplace:
    """The internal stage, in the database that dbt is connected to."""

    def __init__(self, handle: Any, target: Target) -> None:
        connection = SnowflakeConnection(handle)
        self.connection: Connection = connection
        self.state_schema = target.schema_name("hotelmind_warehouse")
        self._files = SnowflakeFiles(connection, f"{target.schema_name('stage')}.batches")

    @contextmanager
    def lines(self, raw: Batch) -> Iterator[Iterator[Line]]:
        with tempfile.TemporaryDirectory(prefix="hotelmind_") as directory:
            path = self._files.get(str(raw.location), Path(directory))
            with parquet_lines(path, raw) as lines:
                yield lines

    @contextmanager
    def directory(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="hotelmind_") as directory:
            yield Path(directory)

    def store(self, batch: Batch, table: TableFile, begin: Begin) -> Batch:
        """Under a name of this generation alone: a second run's files must not be taken for these."""
        path = table.file.rename(table.file.with_name(f"{table.file.parent.name}_{table.file.name}"))
        location = self._files.put(path)
        return replace(batch, location=location, byte_count=table.byte_count, sha256=table.sha256)

    def discard(self, batches: list[Batch]) -> None:
        for batch in batches:
            self._files.remove(str(batch.location))

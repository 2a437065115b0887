"""The stage of a DuckDB warehouse: Parquet files in a folder beside the database file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from loaders.batch import Batch
from loaders.errors import SettingsError, StageError
from loaders.ledger import Ledger, Progress
from loaders.settings import Target
from loaders.stage.parquet import read_batch, write_batch

# A hidden file this old belongs to a loader that was killed.
_ABANDONED = timedelta(days=1)
_POLL_SECONDS = 0.1


class DuckDBStage:
    """Batches as files, the ledger in the database, which is open only for moments: it belongs to one process."""

    def __init__(
        self,
        target: Target,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        path = str(target.credentials.get("path") or ":memory:")
        if path == ":memory:" or "://" in path or path.startswith(("md:", "motherduck:")):
            raise SettingsError(f"target {target.name!r}: path is {path!r}; the loaders need a DuckDB file")
        self.path = Path(path)
        self.directory = self.path.parent / target.schema_name("stage")
        self._schema = target.schema_name("hotelmind_warehouse")
        self._wait_seconds = _wait_seconds(target.credentials.get("retries"))
        self._sleep = sleep
        self._clock = clock

    @contextmanager
    def open_ledger(self) -> Iterator[Ledger]:
        """The ledger of this warehouse, whose tables may not be made yet."""
        with self._connect() as connection:
            yield Ledger(DuckDBConnection(connection), f"{_catalog(connection)}.{self._schema}")

    def progress(self, source_table: str) -> Progress:
        """How far one source table has come; reads only, so that a dry run leaves nothing behind."""
        if not self.path.exists():
            return Progress(None)
        with self.open_ledger() as ledger:
            return ledger.progress(source_table) if ledger.exists() else Progress(None)

    def land(self, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch:
        """Store a batch whole, or not at all: the file first, durable; then its row in the ledger."""
        written = write_batch(self.directory, batch, chunks)
        with self._write_ledger() as ledger:
            return ledger.insert(written, self._now)

    def adopt(self) -> list[Batch]:
        """Enter every batch whose loader died between its file and its ledger row; sweep what killed loaders left."""
        if not self.directory.is_dir():
            return []
        for hidden in self.directory.glob(".*"):
            if self._clock() - hidden.stat().st_mtime > _ABANDONED.total_seconds():
                hidden.unlink(missing_ok=True)
        with self._write_ledger() as ledger:
            known = ledger.locations()
            files = sorted(self.directory.glob("[!.]*.parquet"))
            orphans = [path for path in files if f"{self.directory.name}/{path.name}" not in known]
            return [ledger.insert(read_batch(path), self._now) for path in orphans]

    @contextmanager
    def _write_ledger(self) -> Iterator[Ledger]:
        """The ledger, its tables made where they are missing, in one transaction."""
        with self._connect() as connection:
            connection.begin()
            ledger = Ledger(DuckDBConnection(connection), f"{_catalog(connection)}.{self._schema}")
            ledger.create_tables()
            yield ledger
            connection.commit()

    @contextmanager
    def _connect(self) -> Iterator[duckdb.DuckDBPyConnection]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        deadline = self._clock() + self._wait_seconds
        while True:
            try:
                connection = duckdb.connect(str(self.path))
                break
            except duckdb.Error as error:
                locked = "lock" in str(error)
                if not locked or self._clock() >= deadline:
                    raise StageError(self._explain(error, locked)) from error
                self._sleep(_POLL_SECONDS)
        try:
            # Moments are kept and compared in UTC, whatever this machine's zone.
            connection.execute("set timezone = 'UTC'")
            yield connection
        finally:
            connection.close()

    def _explain(self, error: duckdb.Error, locked: bool) -> str:
        if not locked:
            return f"{self.path}: cannot be opened: {' '.join(str(error).split())}"
        return (
            f"{self.path}: locked by another process for {self._wait_seconds:.0f} s;"
            " wait for that run to end, or raise retries.connect_attempts in profiles.yml"
        )

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


class DuckDBConnection:
    """A DuckDB connection as the ledger uses it."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def query(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows of one statement; `$name` is bound."""
        used = {name: value for name, value in (parameters or {}).items() if f"${name}" in sql}
        return self._connection.execute(sql, used or None).fetchall()


def _catalog(connection: duckdb.DuckDBPyConnection) -> str:
    """The database's own name, quoted: a file called like a schema makes `schema.table` ambiguous."""
    row = connection.execute("select current_database()").fetchone()
    name = str(row[0] if row else "").replace('"', '""')
    return f'"{name}"'


def _wait_seconds(retries: Any) -> float:
    """As long as dbt-duckdb waits for the file: 1, 2, 4, ... seconds for each of its connect_attempts."""
    attempts = retries.get("connect_attempts", 1) if isinstance(retries, Mapping) else 0
    return float(2 ** int(attempts) - 1)

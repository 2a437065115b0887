"""The stage of a DuckDB warehouse: Parquet files in a folder beside the database file."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from loaders.batch import Batch
from loaders.errors import SettingsError, StageError
from loaders.ledger import Ledger, Progress
from loaders.settings import Target
from loaders.stage import folder
from loaders.stage.parquet import is_batch, read_batch, write_batch

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
        # Beside the file itself, where dbt looks too, also when the profile names a link to it.
        self.path = Path(path).resolve()
        self.directory = self.path.parent / target.schema_name("stage")
        self._schema = target.schema_name("hotelmind_warehouse")
        self._wait_seconds = _wait_seconds(target.credentials.get("retries"))
        self._sleep = sleep
        self._clock = clock

    @contextmanager
    def open_ledger(self) -> Iterator[Ledger]:
        """The ledger of this warehouse, to read; its tables may not be made yet, and a file is not made for it."""
        with self.connect() if self.path.exists() else duckdb.connect() as connection:
            yield Ledger(DuckDBConnection(connection), f"{catalog(connection)}.{self._schema}")

    def progress(self, source_table: str) -> Progress:
        """How far one source table has come; reads only, so that a dry run leaves nothing behind."""
        with self.open_ledger() as ledger:
            return ledger.progress(source_table) if ledger.exists() else Progress(None)

    def land(self, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch:
        """Store a batch whole, or not at all: the file first, durable; then its row in the ledger."""
        written = write_batch(self.directory, batch, chunks)
        with self.write_ledger() as ledger:
            return ledger.insert(written, self._now)

    def adopt(self) -> list[Batch]:
        """Enter every batch whose loader died between its file and its ledger row; sweep what killed loaders left."""
        if not self.directory.is_dir():
            return []
        with self.write_ledger() as ledger:
            known = ledger.locations()
            self.sweep(known)
            files = sorted(self.directory.glob("[!.]*.parquet"))
            orphans = [path for path in files if f"{self.directory.name}/{path.name}" not in known]
            # What is no batch of ours was put here by somebody else, and is left alone.
            return [ledger.insert(read_batch(path), self._now) for path in orphans if is_batch(path)]

    def held(self, locations: Iterable[str]) -> set[str]:
        """Those of the locations at which there are rows."""
        return {location for location in locations if (self.path.parent / location).exists()}

    def remove(self, locations: Iterable[str]) -> None:
        """Take stored rows away; a generation is taken as a whole."""
        parts = {Path(location).relative_to(self.directory.name).parts[0] for location in locations}
        for name in sorted(parts):
            folder.remove(self.directory / name)

    def sweep(self, known: Collection[str], *, dry_run: bool = False) -> list[str]:
        """Take away what killed processes left, once it is older than a day; the names of it."""
        found = list(folder.leftovers(self.directory, known, self._clock()))
        for path in () if dry_run else found:
            folder.remove(path)
        return [path.name for path in found]

    @contextmanager
    def write_ledger(self) -> Iterator[Ledger]:
        """The ledger, its tables made where they are missing, in one transaction."""
        with self.connect() as connection:
            connection.begin()
            ledger = Ledger(DuckDBConnection(connection), f"{catalog(connection)}.{self._schema}")
            ledger.create_tables()
            yield ledger
            connection.commit()

    @contextmanager
    def connect(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The database file, made where it is missing, for this process alone."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = self.wait_for(lambda: duckdb.connect(str(self.path)))
        try:
            # Moments are kept and compared in UTC, whatever this machine's zone.
            connection.execute("set timezone = 'UTC'")
            connection.execute("set enable_progress_bar = false")
            yield connection
        finally:
            connection.close()

    def wait_for(self, open_file: Callable[[], duckdb.DuckDBPyConnection]) -> duckdb.DuckDBPyConnection:
        """What opens the database file, tried until no other process has it; StageError after as long as dbt waits."""
        deadline = self._clock() + self._wait_seconds
        while True:
            try:
                return open_file()
            except duckdb.Error as error:
                locked = "set lock" in str(error)
                if not locked or self._clock() >= deadline:
                    raise StageError(self._explain(error, locked)) from error
                self._sleep(_POLL_SECONDS)

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

    def update(self, sql: str, parameters: Mapping[str, Any] | None = None) -> int:
        """How many rows one statement changed; `$name` is bound."""
        return int(self.query(sql, parameters)[0][0])


def catalog(connection: duckdb.DuckDBPyConnection) -> str:
    """The database's own name, quoted: a file called like a schema makes `schema.table` ambiguous."""
    row = connection.execute("select current_database()").fetchone()
    name = str(row[0] if row else "").replace('"', '""')
    return f'"{name}"'


def _wait_seconds(retries: Any) -> float:
    """As long as dbt-duckdb waits for the file: 1, 2, 4, ... seconds for each of its connect_attempts."""
    attempts = retries.get("connect_attempts", 1) if isinstance(retries, Mapping) else 0
    return float(2 ** int(attempts) - 1)

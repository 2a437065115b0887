"""The stage of a Snowflake warehouse: Parquet files in an internal named stage, put there by Snowflake's connector."""

from __future__ import annotations

import re
import tempfile
import time
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import jinja2
import pyarrow as pa

from loaders.batch import Batch
from loaders.errors import SettingsError, StageError
from loaders.ledger import Ledger, Progress
from loaders.settings import Target
from loaders.stage.parquet import is_batch, read_batch, write_batch
from loaders.stage.snowflake_session import SnowflakeConnection, database_error, open_connection

_MACRO = Path(__file__).parents[2] / "macros" / "state" / "batch_stage.sql"
# A younger file may belong to a loader that is about to enter it: no key is enforced here, so two rows could come.
_ORPHANED = timedelta(hours=1)
# What is no batch and lay there for so long belongs to a process that was killed.
_ABANDONED = timedelta(days=1)
# Snowflake's client encrypts what it puts, in blocks of so many bytes; what is listed is then padded to a whole block.
_CIPHER_BLOCK = 16


@dataclass(frozen=True)
class StoredFile:
    """One line of LIST: a file's name within the stage, its size there, and when it came."""

    name: str
    byte_count: int
    stored_at: datetime


class SnowflakeFiles:
    """The files of an internal stage, by their names in it; a location is `<stage>/<name>`."""

    def __init__(self, connection: SnowflakeConnection, stage: str) -> None:
        self._connection = connection
        self._stage = stage

    def list(self, name: str = "") -> list[StoredFile]:
        """All files, or those whose name begins with `name`."""
        rows = self._connection.query(f"list @{self._stage}/{name}")
        return [StoredFile(row[0].rpartition("/")[2], int(row[1]), parsedate_to_datetime(row[3])) for row in rows]

    def put(self, path: Path) -> str:
        """Upload a file under its own name, look that it is there whole, and return its location."""
        options = "auto_compress = false source_compression = none overwrite = false"
        self._connection.query(f"put {_file_url(path)} @{self._stage} {options}")
        location = f"{self._stage}/{path.name}"
        size = path.stat().st_size
        found = [file for file in self.list(path.name) if file.name == path.name]
        if not found or not size <= found[0].byte_count <= size + _CIPHER_BLOCK:
            listed = f"{found[0].byte_count} bytes" if found else "nothing"
            raise StageError(f"{location}: {size} bytes were put there and {listed} found; load again")
        return location

    def get(self, location: str, directory: Path) -> Path:
        """Download a file into `directory`; there is nothing at the path where it is gone."""
        self._connection.query(f"get @{location} {_file_url(directory)}")
        return directory / location.rpartition("/")[2]

    def remove(self, location: str) -> None:
        """Take a file away."""
        self._connection.query(f"remove @{location}")


class SnowflakeStage:
    """Batches as files of the stage `batches` in schema `stage`; then their rows in the ledger.

    One session serves all calls: a login takes a second, and may take a person at a browser.
    """

    def __init__(self, target: Target, *, clock: Callable[[], float] = time.time) -> None:
        self._target = target
        self._schema = _identifier(target, target.schema_name("stage"))
        self._state = _identifier(target, target.schema_name("hotelmind_warehouse"))
        self._stage = f"{self._schema}.batches"
        self._clock = clock
        self._connection: SnowflakeConnection | None = None

    @contextmanager
    def open_ledger(self) -> Iterator[Ledger]:
        """The ledger of this warehouse, whose tables may not be made yet."""
        with self.connect() as connection:
            yield Ledger(connection, self._state)

    @contextmanager
    def write_ledger(self) -> Iterator[Ledger]:
        """The ledger, its tables made where they are missing, in one transaction."""
        with self.connect() as connection:
            ledger = self._made_ledger(connection)
            with connection.transaction():
                # Documented: an UPDATE holds the table's lock until the commit, and another waits. Any row will do,
                # with the value that it has.
                connection.update(
                    f"update {self._state}.etl_batches set status = status || '' where extracted_at ="
                    f" (select min(extracted_at) from {self._state}.etl_batches)"
                )
                yield ledger

    def progress(self, source_table: str) -> Progress:
        """How far one source table has come."""
        with self.open_ledger() as ledger:
            return ledger.progress(source_table) if ledger.exists() else Progress(None)

    def land(self, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch:
        """Store a batch whole, or not at all: the file first, checked; then its row in the ledger."""
        with tempfile.TemporaryDirectory(prefix="hotelmind_") as directory:
            written = write_batch(Path(directory), batch, chunks)
            path = Path(directory) / f"{batch.physical_name}.parquet"
            with self.connect() as connection:
                ledger = self._made_ledger(connection)
                location = SnowflakeFiles(connection, self._stage).put(path)
                with connection.transaction():
                    return ledger.insert(replace(written, location=location), self._now)

    def adopt(self) -> list[Batch]:
        """Enter every batch whose loader died between its file and its ledger row, an hour ago or earlier."""
        with self.connect() as connection:
            ledger = Ledger(connection, self._state)
            if not ledger.exists():
                return []
            known = ledger.locations()
            files = SnowflakeFiles(connection, self._stage)
            orphans = [
                file
                for file in files.list()
                if f"{self._stage}/{file.name}" not in known and self._now() - file.stored_at > _ORPHANED
            ]
            adopted = [self._adopt(connection, ledger, files, file) for file in orphans]
            return [batch for batch in adopted if batch]

    def held(self, locations: Iterable[str]) -> set[str]:
        """Those of the locations at which there are rows."""
        with self.connect() as connection:
            return set(locations) & {
                f"{self._stage}/{file.name}" for file in SnowflakeFiles(connection, self._stage).list()
            }

    def remove(self, locations: Iterable[str]) -> None:
        """Take stored rows away."""
        with self.connect() as connection:
            files = SnowflakeFiles(connection, self._stage)
            for location in sorted(locations):
                files.remove(location)

    def sweep(self, known: Collection[str], *, dry_run: bool = False) -> list[str]:
        """Nothing: a file whose upload was cut off is not there."""
        return []

    @contextmanager
    def connect(self) -> Iterator[SnowflakeConnection]:
        """This stage's session, in autocommit and in UTC; after an error the next use makes another."""
        try:
            if self._connection is None:
                self._connection = open_connection(self._target)
                # The connector itself would hold it until the process ends.
                weakref.finalize(self, self._connection.close)
            yield self._connection
        except database_error() as error:
            self.close()
            raise StageError(f"target {self._target.name!r}: {' '.join(str(error).split())}") from None

    def close(self) -> None:
        """End the session; what it has not committed is rolled back."""
        connection, self._connection = self._connection, None
        if connection:
            connection.close()

    def _made_ledger(self, connection: SnowflakeConnection) -> Ledger:
        ledger = Ledger(connection, self._state)
        if not ledger.exists():
            # First the stage, then the tables: where there are tables there is a stage.
            module: Any = jinja2.Environment(autoescape=False).from_string(_MACRO.read_text("utf-8")).module  # noqa: S701
            connection.query(f"create schema if not exists {self._schema}")
            connection.query(module.batch_stage(self._schema))
            ledger.create_tables()
        return ledger

    def _adopt(
        self, connection: SnowflakeConnection, ledger: Ledger, files: SnowflakeFiles, file: StoredFile
    ) -> Batch | None:
        """Enter a batch; a part of a package that was never entered is no batch, since its raw one is still pending."""
        location = f"{self._stage}/{file.name}"
        with tempfile.TemporaryDirectory(prefix="hotelmind_") as directory:
            path = files.get(location, Path(directory))
            if not is_batch(path):
                if self._now() - file.stored_at > _ABANDONED:
                    files.remove(location)
                return None
            batch = replace(read_batch(path), location=location)
        with connection.transaction():
            return ledger.insert(batch, self._now)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _identifier(target: Target, name: str) -> str:
    """A name as it stands in SQL, by dbt-snowflake's own default: never quoted, so Snowflake keeps it in upper case.

    Every name of ours is lower case, so that it means the same on all engines.
    """
    if not re.fullmatch(r"[a-z_][a-z0-9_]*", name):
        raise SettingsError(
            f"target {target.name!r}: schema {name!r} is no lower-case name of letters, digits and _;"
            " choose another `schema` in profiles.yml"
        )
    return name


def _file_url(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace("'", "\\'")
    return f"'file://{text}'"

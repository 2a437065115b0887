"""The stage of a PostgreSQL warehouse: one all-text table a batch, in one transaction with its ledger row."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import psycopg2
import pyarrow as pa
import pyarrow.csv
from psycopg2 import sql

from loaders.batch import Batch
from loaders.errors import StageError
from loaders.ledger import Ledger, Progress
from loaders.names import RECORD_NUMBER
from loaders.settings import Target

# Of the profile's keys, those that libpq knows, under its own names.
_LIBPQ = {
    "host": "host",
    "port": "port",
    "user": "user",
    "password": "password",
    "pass": "password",
    "dbname": "dbname",
    "database": "dbname",
    "sslmode": "sslmode",
    "sslcert": "sslcert",
    "sslkey": "sslkey",
    "sslrootcert": "sslrootcert",
    "connect_timeout": "connect_timeout",
    "keepalives_idle": "keepalives_idle",
}
# Quoted where there is a value, so that NULL is an empty field and the empty string is "".
_CSV = pyarrow.csv.WriteOptions(include_header=False, quoting_style="all_valid")
ONE_AT_A_TIME = "select pg_advisory_xact_lock(hashtext('hotelmind_warehouse'))"


class PostgresStage:
    """Batches as tables of schema `stage`; each comes with its ledger row, or neither does."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._schema = target.schema_name("stage")
        self._state = target.schema_name("hotelmind_warehouse")

    @contextmanager
    def open_ledger(self) -> Iterator[Ledger]:
        """The ledger of this warehouse, whose tables may not be made yet."""
        with self.connect() as connection:
            yield Ledger(PostgresConnection(connection), self._state)

    @contextmanager
    def write_ledger(self) -> Iterator[Ledger]:
        """The ledger, its tables made where they are missing, in one transaction."""
        with self.connect() as connection:
            wrapped = PostgresConnection(connection)
            ledger = Ledger(wrapped, self._state)
            self._create_state(wrapped, ledger)
            with wrapped.transaction():
                wrapped.query(ONE_AT_A_TIME)
                yield ledger

    def progress(self, source_table: str) -> Progress:
        """How far one source table has come."""
        with self.open_ledger() as ledger:
            return ledger.progress(source_table) if ledger.exists() else Progress(None)

    def land(self, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch:
        """Store a batch whole, or not at all."""
        with self.connect() as connection:
            wrapped = PostgresConnection(connection)
            ledger = Ledger(wrapped, self._state)
            self._create_state(wrapped, ledger)
            with wrapped.transaction(), connection.cursor() as cursor:
                landed = copy_batch(cursor, self._schema, batch, chunks)
                return ledger.insert(landed, lambda: datetime.now(UTC))

    def adopt(self) -> list[Batch]:
        """Nothing: a table cannot be here without its ledger row."""
        return []

    def held(self, locations: Iterable[str]) -> set[str]:
        """Those of the locations at which there are rows."""
        with self.connect() as connection:
            found = PostgresConnection(connection).query(
                "select location from unnest($locations::text[]) as location where to_regclass(location) is not null",
                {"locations": list(locations)},
            )
        return {location for (location,) in found}

    def remove(self, locations: Iterable[str]) -> None:
        """Take stored rows away, all of them or none."""
        tables = [sql.Identifier(*location.split(".")) for location in sorted(locations)]
        with self.connect() as connection, PostgresConnection(connection).transaction(), connection.cursor() as cursor:
            cursor.execute(sql.SQL("drop table if exists {}").format(sql.SQL(", ").join(tables)))

    def sweep(self, known: Collection[str], *, dry_run: bool = False) -> list[str]:
        """Nothing: a transaction that was killed left nothing."""
        return []

    def _create_state(self, connection: PostgresConnection, ledger: Ledger) -> None:
        if ledger.exists():
            return
        with connection.transaction():
            # `create ... if not exists` of two loaders at once fails in one of them.
            connection.query(ONE_AT_A_TIME)
            ledger.create_tables()

    @contextmanager
    def connect(self) -> Iterator[Any]:
        """A connection in autocommit, in UTC, as the profile's role."""
        credentials = self._target.credentials
        settings = {
            _LIBPQ[key]: value for key, value in credentials.items() if key in _LIBPQ and value not in (None, "")
        }
        try:
            connection = psycopg2.connect(**settings, client_encoding="UTF8", application_name="hotelmind loaders")
        except psycopg2.Error as error:
            raise StageError(
                f"target {self._target.name!r}: cannot connect: {' '.join(str(error).split())}; check profiles.yml"
            ) from None
        try:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute("set timezone = 'UTC'")
                if credentials.get("role"):
                    cursor.execute(sql.SQL("set role {}").format(sql.Identifier(credentials["role"])))
            yield connection
        except psycopg2.Error as error:
            raise StageError(f"target {self._target.name!r}: {' '.join(str(error).split())}") from error
        finally:
            connection.close()


class PostgresConnection:
    """A psycopg2 connection in autocommit, as the ledger uses it."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def query(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows of one statement; `$name` is bound."""
        with self._connection.cursor() as cursor:
            cursor.execute(re.sub(r"\$(\w+)", r"%(\1)s", sql), parameters)
            return list(cursor.fetchall()) if cursor.description else []

    def update(self, sql: str, parameters: Mapping[str, Any] | None = None) -> int:
        """How many rows one statement changed; `$name` is bound."""
        with self._connection.cursor() as cursor:
            cursor.execute(re.sub(r"\$(\w+)", r"%(\1)s", sql), parameters)
            return int(cursor.rowcount)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing."""
        self.query("begin")
        try:
            yield
        except BaseException:
            if not self._connection.closed:
                self.query("rollback")
            raise
        self.query("commit")


def copy_batch(cursor: Any, schema: str, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch:
    """Make the batch's table in `schema`; return the batch with what is now known of it. In the caller's transaction.

    Chunks have the batch's columns, by name, all text; records are numbered where the chunks do not number them.
    """
    table = sql.Identifier(schema, batch.physical_name)
    columns = [sql.SQL("{} text").format(sql.Identifier(name)) for name in batch.columns]
    columns.append(sql.SQL("{} bigint not null").format(sql.Identifier(RECORD_NUMBER)))
    cursor.execute("select to_regnamespace(%s)", [sql.Identifier(schema).as_string(cursor)])
    # Asked first: a role that may only use the schema may not even say `create schema if not exists`.
    if cursor.fetchone()[0] is None:
        cursor.execute(sql.SQL("create schema if not exists {}").format(sql.Identifier(schema)))
    cursor.execute(sql.SQL("create table {} ({})").format(table, sql.SQL(", ").join(columns)))
    stream = _CsvStream(chunks, list(batch.columns))
    try:
        cursor.copy_expert(sql.SQL("copy {} from stdin with (format csv)").format(table), stream, 1 << 20)
    except psycopg2.Error:
        if stream.failure:
            raise stream.failure from None
        raise
    batch = replace(
        batch,
        location=f"{schema}.{batch.physical_name}",
        row_count=stream.row_count,
        byte_count=stream.byte_count,
        sha256=stream.digest.hexdigest(),
    )
    # A batch carries its own ledger row: a backup of the stage alone says what it holds.
    cursor.execute(sql.SQL("comment on table {} is {}").format(table, sql.Literal(batch.to_json())))
    return batch


class _CsvStream(io.RawIOBase):
    """Record batches as the CSV that COPY reads, made while it reads; numbers the records, counts what went through."""

    def __init__(self, chunks: Iterable[pa.RecordBatch], columns: list[str]) -> None:
        self._chunks = iter(chunks)
        self._columns = columns
        self._rest = memoryview(b"")
        # What ended the chunks early; the driver makes an error of its own from it.
        self.failure: BaseException | None = None
        self.row_count = 0
        self.byte_count = 0
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        while not self._rest:
            try:
                chunk = next(self._chunks, None)
            except BaseException as error:
                self.failure = error
                raise
            if chunk is None:
                return b""
            self._rest = memoryview(self._render(chunk))
        piece, self._rest = self._rest[:size], self._rest[size:]
        self.byte_count += len(piece)
        self.digest.update(piece)
        return bytes(piece)

    def _render(self, chunk: pa.RecordBatch) -> pa.Buffer:
        if RECORD_NUMBER in chunk.schema.names:
            numbers = chunk.column(RECORD_NUMBER)
        else:
            numbers = pa.array(range(self.row_count + 1, self.row_count + 1 + chunk.num_rows), pa.int64())
        self.row_count += chunk.num_rows
        arrays = [*(chunk.column(name) for name in self._columns), numbers]
        sink = pa.BufferOutputStream()
        pyarrow.csv.write_csv(pa.record_batch(arrays, names=[*self._columns, RECORD_NUMBER]), sink, _CSV)
        return sink.getvalue()

"""Packages in a PostgreSQL warehouse: every table of a generation is copied into one of the stage's."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg2
from psycopg2 import sql

from loaders.batch import Batch
from loaders.errors import StageError
from loaders.ledger import Connection
from loaders.names import LINE, RECORD_NUMBER
from loaders.nested import TableFile
from loaders.packages.workplace import Begin, Line
from loaders.settings import Target
from loaders.stage.postgres import PostgresConnection, copy_batch

_ROWS = 256


class PostgresWorkplace:
    """The stage's schema, in the database that dbt is connected to."""

    def __init__(self, handle: Any, target: Target) -> None:
        self._handle = handle
        self.connection: Connection = PostgresConnection(handle)
        self.state_schema = target.schema_name("hotelmind_warehouse")
        self._schema = target.schema_name("stage")

    @contextmanager
    def lines(self, raw: Batch) -> Iterator[Iterator[Line]]:
        """In a transaction of their own, which a cursor needs; it only reads."""
        table = sql.Identifier(*str(raw.location).split("."))
        with self._handle.cursor() as cursor:
            cursor.execute("select to_regclass(%s)", [raw.location])
            if cursor.fetchone()[0] is None:
                raise StageError(f"{raw.location}: this table is gone; restore it, or ask the source again")
            cursor.execute("begin")
            try:
                cursor.execute(
                    sql.SQL("declare raw_lines no scroll cursor for select {}, {} from {} order by 1").format(
                        sql.Identifier(RECORD_NUMBER), sql.Identifier(LINE), table
                    )
                )
                yield _fetched(cursor)
            finally:
                cursor.execute("rollback")

    @contextmanager
    def directory(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="hotelmind_") as directory:
            yield Path(directory)

    def store(self, batch: Batch, table: TableFile, begin: Begin) -> Batch:
        begin()
        with self._handle.cursor() as cursor:
            try:
                return copy_batch(cursor, self._schema, batch, table.batches())
            except psycopg2.Error as error:
                raise StageError(f"{batch.source_table}: {' '.join(str(error).split())}") from error

    def discard(self, batches: list[Batch]) -> None:
        """Nothing: the transaction that was rolled back held all of it."""


def _fetched(cursor: Any) -> Iterator[Line]:
    while True:
        cursor.execute(f"fetch {_ROWS} from raw_lines")
        rows = cursor.fetchall()
        if not rows:
            return
        yield from rows

"""The hotel application's database: a real PostgreSQL whose days go by when they are told to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack, closing
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psycopg2
from psycopg2.extras import execute_values

from demo.hotel_books import TABLES, HotelBooks, Row
from demo.postgres import postgres_server

# Long enough for about a thousand reservations.
HISTORY = timedelta(days=100)
_SCHEMA = Path(__file__).with_name("hotels.sql")


class HotelDatabase:
    """The hotels' database as it stands at 00:00 UTC of `today`, on a server of its own.

        with HotelDatabase(directory, today=date(2026, 1, 31)) as hotels:
            psycopg2.connect(hotels.url)
            hotels.live_a_day()

    The same seed and today give the same rows. Opened again on the same directory with a later day (and the same
    seed), it lives the days between; with an earlier one it raises ValueError.
    """

    def __init__(self, directory: Path | str, *, today: date, seed: int = 7) -> None:
        self.today = today
        self._seed = seed
        self._directory = Path(directory)
        self._server = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as starting:
            self.url = starting.enter_context(postgres_server(self._directory))
            self._fill()
            self._server = starting.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()

    def live_a_day(self) -> None:
        """What happens on the day `today`; then the next day begins."""
        changed = self._books.live(self.today)
        self._write(changed)
        self.today += timedelta(days=1)

    def _fill(self) -> None:
        """The books are lived from their first day, and written over whatever part of them is there already."""
        first_day = self._first_day()
        self._books = HotelBooks(first_day, seed=self._seed)
        day = first_day
        while day < self.today:
            self._books.live(day)
            day += timedelta(days=1)
        self._write({table: rows.values() for table, rows in self._books.tables.items()})

    def _first_day(self) -> date:
        with closing(psycopg2.connect(self.url)) as connection, connection, connection.cursor() as cursor:
            cursor.execute(_SCHEMA.read_text(encoding="utf-8"))
            cursor.execute("select (select min(created_at) from hotels), (select max(updated_at) from reservations)")
            opened_at, lived_until = cursor.fetchone() or (None, None)
        if opened_at is None:
            return self.today - HISTORY
        if lived_until > datetime.combine(self.today, time(), UTC):
            raise ValueError(f"{self._directory}: has lived until {lived_until:%Y-%m-%d}, later than {self.today}")
        day: date = opened_at.astimezone(UTC).date()
        return day

    def _write(self, rows_by_table: Mapping[str, Iterable[Row]]) -> None:
        """One transaction, so nobody sees half a day."""
        with closing(psycopg2.connect(self.url)) as connection, connection, connection.cursor() as cursor:
            for table in TABLES:
                _upsert(cursor, table, list(rows_by_table.get(table, ())))


def _upsert(cursor: Any, table: str, rows: list[Row]) -> None:
    if not rows:
        return
    columns = list(rows[0])
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns)
    statement = (
        f"insert into {table} ({', '.join(columns)}) values %s on conflict ({TABLES[table]}) do update set {changes}"
    )
    execute_values(cursor, statement, [list(row.values()) for row in rows], page_size=1000)

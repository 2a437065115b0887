"""The hotel application's PostgreSQL: a connection that prints every value one fixed way, and its safe bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import psycopg2
from psycopg2 import sql

from loaders.errors import SettingsError, SourceError, SourceUnavailableError

# How values become text, whatever the server's, the database's or the role's own settings.
_PRINTING = {
    "TimeZone": "UTC",
    "DateStyle": "ISO, YMD",
    "IntervalStyle": "postgres",
    "bytea_output": "hex",
    "extra_float_digits": "3",
    "lc_monetary": "C",
    "xmlbinary": "base64",
    # Under a row policy the server refuses, where it would show only some rows.
    "row_security": "off",
}
_CONNECT_SECONDS = 10

_BOUND = """
select
    not pg_is_in_recovery() and pg_has_role(current_user, 'pg_read_all_stats', 'usage') as is_exact,
    clock_timestamp() as clock,
    oldest.started,
    oldest.holder
from (select 1) as one
left join lateral (
    select * from (
        -- Any transaction may write yet, with an updated_at as early as its own start; these two kinds cannot.
        select xact_start, format('session %s of %s, application %s', pid, usename, quote_literal(application_name))
        from pg_stat_activity
        where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
            and backend_type not in ('autovacuum worker', 'walsender')
        union all
        select prepared, format('prepared transaction %s', gid) from pg_prepared_xacts
        where database = current_database()
    ) as open_transactions (started, holder)
    order by started limit 1
) as oldest on true
"""


@dataclass(frozen=True)
class Bound:
    """No row with an earlier cursor can still be committed: the watermark may come this far and no further.

    `moment` is the source's own clock or the start of its oldest open transaction. Where that cannot be seen (a
    standby, a role outside pg_read_all_stats) `is_exact` is false and the overlap alone protects.
    """

    moment: datetime
    is_exact: bool
    holder: str | None = None
    age: timedelta = timedelta()


def connection_settings(url: str) -> dict[str, Any]:
    """The parts of a connection address; SettingsError, without any of its text, for one that is none."""
    wrong = SettingsError(
        "OPERATIONAL_DATABASE_URL is no PostgreSQL address; expected postgresql://user:password@host:port/database,"
        " with / and @ in the password written as %2F and %40"
    )
    try:
        parts = psycopg2.extensions.parse_dsn(url)
    except psycopg2.ProgrammingError:
        # The driver's own message repeats the text, password and all.
        raise wrong from None
    # A password that was not escaped ends in the host or the port, and from there in every later message.
    if "@" in parts.get("host", "") or not parts.get("port", "0").replace(",", "").isdigit():
        raise wrong
    return {"connect_timeout": str(_CONNECT_SECONDS), **parts}


def connect(settings: Mapping[str, Any]) -> Any:
    """A connection in autocommit, set to print fixed text."""
    try:
        connection = psycopg2.connect(**{**settings, "client_encoding": "UTF8"})
        connection.autocommit = True
        with connection.cursor() as cursor:
            for name, value in _PRINTING.items():
                cursor.execute(sql.SQL("set {} = %s").format(sql.Identifier(name)), [value])
    except psycopg2.Error as error:
        raise SourceUnavailableError(
            f"operational: cannot connect: {one_line(error)}; check OPERATIONAL_DATABASE_URL"
        ) from None
    return connection


def read_bound(connection: Any) -> Bound:
    """The commit-safe bound, in a transaction of its own: it must be read before the snapshot of the rows."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(_BOUND)
            is_exact, clock, started, holder = cursor.fetchone()
    except psycopg2.Error as error:
        raise SourceError(f"operational: open transactions cannot be read: {one_line(error)}") from error
    if is_exact and started is not None and started < clock:
        return Bound(started, True, holder, clock - started)
    return Bound(clock, is_exact)


@contextmanager
def snapshot(connection: Any, subject: str) -> Iterator[Any]:
    """A cursor whose statements all see one moment of the database; database errors name the subject."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("begin isolation level repeatable read read only")
            try:
                yield cursor
            finally:
                if not connection.closed:
                    cursor.execute("rollback")
    except psycopg2.Error as error:
        raise SourceError(f"{subject}: {one_line(error)}") from error


def one_line(error: Exception) -> str:
    """A database error as one line."""
    return " ".join(str(error).split())

"""The warehouse that the demo fills, one of each engine, thrown away with its folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import psycopg2

Query = Callable[..., list[tuple[Any, ...]]]


@dataclass(frozen=True)
class DemoWarehouse:
    """A target of demo/profiles.yml: the environment that it needs, and a way to ask it (`$name` is bound)."""

    target: str
    place: str
    environment: Mapping[str, str]
    query: Query


@contextmanager
def open_warehouse(target: str, directory: Path, server_url: str) -> Iterator[DemoWarehouse]:
    """An empty warehouse; on PostgreSQL a database of its own in the hotels' server, of Snowflake a stand-in."""
    if target == "snowflake":
        with _snowflake() as warehouse:
            yield warehouse
    else:
        yield {"duckdb": _duckdb, "postgres": _postgres}[target](directory, server_url)


def _duckdb(directory: Path, server_url: str) -> DemoWarehouse:
    path = directory / "warehouse.duckdb"

    def query(sql: str, **parameters: Any) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(path)) as connection:
            connection.execute("set timezone = 'UTC'")
            return connection.execute(sql, parameters or None).fetchall()

    place = f"{path}; `python -m loaders.status --profiles-dir demo` shows its state"
    return DemoWarehouse("duckdb", place, {"DEMO_DUCKDB_PATH": str(path)}, query)


def _postgres(directory: Path, server_url: str) -> DemoWarehouse:
    _ask(server_url, "create database warehouse")
    url = server_url.replace("/postgres?", "/warehouse?")
    parts = psycopg2.extensions.parse_dsn(url)

    def query(sql: str, **parameters: Any) -> list[tuple[Any, ...]]:
        return _ask(url, re.sub(r"\$(\w+)", r"%(\1)s", sql), parameters)

    environment = {"DEMO_POSTGRES_HOST": parts["host"], "DEMO_POSTGRES_PORT": str(parts["port"])}
    return DemoWarehouse("postgres", "a PostgreSQL server that has ended with the demo", environment, query)


@contextmanager
def _snowflake() -> Iterator[DemoWarehouse]:
    # Imported here: it is needed for no other engine, and takes a second.
    from loaders.settings import Target  # noqa: PLC0415
    from loaders.stage.snowflake_session import open_connection  # noqa: PLC0415
    from tests.snowflake.stand_in import stand_in  # noqa: PLC0415

    with stand_in() as account:
        connection = open_connection(Target("snowflake", "snowflake", "hotelmind_warehouse", account.credentials))
        environment = {"DEMO_SNOWFLAKE_PORT": str(account.port)}
        yield DemoWarehouse(
            "snowflake",
            "a stand-in for Snowflake that has ended with the demo (docs/snowflake.md)",
            environment,
            lambda sql, **parameters: connection.query(sql, parameters),
        )
        connection.close()


def _ask(url: str, sql: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
    connection = psycopg2.connect(url)
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters)
            return list(cursor.fetchall()) if cursor.description else []
    finally:
        connection.close()

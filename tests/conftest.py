"""Fixtures that all tests share."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.postgres import postgres_server
from tests.snowflake.account_under_test import SnowflakeAccount, account_under_test
from tests.snowflake.rules import broken_rules
from warehouse import Warehouse, connected


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest file first, so that no worker is left alone with it in the end."""
    items.sort(key=lambda item: "test_whole_project" not in item.nodeid)


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """One PostgreSQL server for all tests of a process."""
    # Not under pytest's own folder, whose modes the server's start would change.
    with tempfile.TemporaryDirectory() as directory:
        with postgres_server(Path(directory)) as url, connected(url) as cursor:
            # Prepared transactions are off by default, and need a start to come on.
            cursor.execute("alter system set max_prepared_transactions = 4")
            # A test machine may lose its power: what is tested is not the disk.
            cursor.execute("alter system set fsync = off")
        with postgres_server(Path(directory)) as url:
            yield url


@pytest.fixture
def source_url(server_url: str) -> Iterator[str]:
    """An empty database of the server, to extract from."""
    yield from _database(server_url, f"source_{uuid.uuid4().hex[:12]}")


# The stand-in of Snowflake is slow: its half of the matrix runs with `make test-long`.
@pytest.fixture(params=["duckdb", "postgres", pytest.param("snowflake", marks=pytest.mark.long)])
def warehouse(request: pytest.FixtureRequest, tmp_path: Path) -> Warehouse:
    """An empty warehouse of each engine."""
    found: Warehouse = request.getfixturevalue(f"{request.param}_warehouse")
    return found


@pytest.fixture
def postgres_warehouse(server_url: str, tmp_path: Path) -> Iterator[Warehouse]:
    """An empty PostgreSQL warehouse, for what only a server can show."""
    # One name for all: what dbt parsed holds the name of the database.
    for url in _database(server_url, "warehouse"):
        yield Warehouse("postgres", tmp_path, url)


@pytest.fixture(scope="session")
def snowflake_account() -> Iterator[SnowflakeAccount]:
    """One stand-in for all tests of a process; or the real account that is being certified."""
    with account_under_test() as account:
        yield account


@pytest.fixture
def snowflake_warehouse(snowflake_account: SnowflakeAccount, tmp_path: Path) -> Iterator[Warehouse]:
    """An empty Snowflake warehouse, which every test leaves with its statements in the order that they must have."""
    snowflake_account.reset()
    warehouse = Warehouse("snowflake", tmp_path, credentials=dict(snowflake_account.credentials))
    yield warehouse
    warehouse.close()
    assert broken_rules(snowflake_account.statements()) == []


@pytest.fixture
def duckdb_warehouse(tmp_path: Path) -> Warehouse:
    """An empty DuckDB warehouse, for what only a file can show."""
    return Warehouse("duckdb", tmp_path)


def _database(server_url: str, name: str) -> Iterator[str]:
    with connected(server_url) as cursor:
        cursor.execute(f"create database {name}")
        yield server_url.replace("/postgres?", f"/{name}?")
        cursor.execute(f"drop database {name} with (force)")

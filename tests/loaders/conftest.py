"""A real PostgreSQL to extract from."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest

from demo.postgres import postgres_server


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """One server for all tests of a process."""
    # Not under pytest's own folder, whose modes the server's start would change.
    with tempfile.TemporaryDirectory() as directory:
        with postgres_server(Path(directory)) as url:
            # Prepared transactions are off by default, and need a start to come on.
            _administer(url, "alter system set max_prepared_transactions = 4")
        with postgres_server(Path(directory)) as url:
            yield url


@pytest.fixture
def source_url(server_url: str) -> Iterator[str]:
    """An empty database of the server."""
    name = f"source_{uuid.uuid4().hex[:12]}"
    _administer(server_url, f"create database {name}")
    yield server_url.replace("/postgres?", f"/{name}?")
    _administer(server_url, f"drop database {name} with (force)")


def _administer(url: str, statement: str) -> None:
    connection = psycopg2.connect(url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(statement)
    connection.close()

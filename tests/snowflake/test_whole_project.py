"""The whole project on the stand-in and on DuckDB, from one sandbox: every layer holds the same."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from demo.export_jobs import KEPT_DAYS, PENDING
from demo.hotels import HotelDatabase
from demo.sandbox import Sandbox
from tests.snowflake.rules import broken_rules
from tests.snowflake.stand_in import REPOSITORY, StandIn
from warehouse import Warehouse

pytestmark = pytest.mark.long

TODAY = date(2026, 1, 31)
LAYERS = ("bronze", "silver", "gold", "seeds")
# What says when and by which run a row came; a whole list is named by the moment it was asked for.
MOMENTS = {"batch_id", "pipeline_run_id", "date_to_warehouse", "update_date"}


def run(program: str, *arguments: str, environment: dict[str, str]) -> None:
    command = [str(Path(sys.executable).with_name(program)), *arguments]
    result = subprocess.run(
        command, cwd=REPOSITORY, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def contents(warehouse: Warehouse) -> dict[str, list[tuple[str, ...]]]:
    """Every row of every layer, as text, without what differs by nature."""
    found = {}
    for name in warehouse.tables():
        schema, table = name.split(".")
        if schema in LAYERS:
            columns = warehouse.query(
                "select lower(column_name) from information_schema.columns"
                " where lower(table_schema) = $schema and lower(table_name) = $name",
                schema=schema,
                name=table,
            )
            names = sorted({column for (column,) in columns} - MOMENTS)
            rows = warehouse.query(f"select {', '.join(names)} from {name}")
            found[name] = sorted(tuple(map(text, row)) for row in rows)
    return found


def text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="microseconds")
    if isinstance(value, (Decimal, float)):
        return f"{value:.6f}"
    return repr(value)


def test_two_days_of_the_company_are_the_same_on_both_engines(
    snowflake_account: StandIn, tmp_path_factory: pytest.TempPathFactory
) -> None:
    snowflake_account.reset()
    warehouses = [
        Warehouse("duckdb", tmp_path_factory.mktemp("duckdb")),
        Warehouse("snowflake", tmp_path_factory.mktemp("snowflake"), credentials=dict(snowflake_account.credentials)),
    ]
    sandbox = Sandbox(today=TODAY, contacts_per_day=5, requests_per_minute=None)
    # A night more or less is one batch more or less of every nested table.
    sandbox.nights |= {TODAY - timedelta(days=age): PENDING for age in range(4, KEPT_DAYS + 1)}
    with tempfile.TemporaryDirectory() as data, sandbox, HotelDatabase(data, today=TODAY) as hotels:
        for _ in range(2):
            for warehouse in warehouses:
                day(warehouse, sandbox, hotels)
            hotels.live_a_day()
    found, expected = contents(warehouses[1]), contents(warehouses[0])
    assert sorted(found) == sorted(expected)
    assert len(found) > 20
    for name, rows in expected.items():
        assert found[name] == rows, name
    assert broken_rules(snowflake_account.statements()) == []
    warehouses[1].close()


def day(warehouse: Warehouse, sandbox: Sandbox, hotels: HotelDatabase) -> None:
    """The three daily commands."""
    arguments = warehouse.arguments()
    user, token = sandbox.credentials
    environment = {
        "DBT_PROFILES_DIR": str(warehouse.directory),
        "GLADLY_URL": sandbox.url,
        "GLADLY_USER": user,
        "GLADLY_API_TOKEN": token,
        "GLADLY_REQUESTS_PER_MINUTE": "0",
        "OPERATIONAL_DATABASE_URL": hotels.url,
    }
    run("python", "-m", "loaders.gladly", "--end-date", "2026-01-30", environment=environment)
    run("python", "-m", "loaders.operational", environment=environment)
    paths = arguments[arguments.index("--target-path") :]
    run("dbt", "--warn-error", "build", *paths, environment=environment)

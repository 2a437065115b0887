"""The whole project on two days of a company: loaders, bronze, silver and gold."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import psycopg2
import pytest

from demo.export_jobs import KEPT_DAYS, PENDING
from demo.hotels import HotelDatabase
from demo.sandbox import Sandbox
from warehouse import REPOSITORY, connected

# The tests of this module tell one story, in their order, in one process.
pytestmark = pytest.mark.xdist_group("whole project")

TODAY = date(2026, 1, 31)
MERGED = [
    "bronze_gladly__contact_export",
    "bronze_gladly__conversation_export",
    "bronze_gladly__conversation_items",
    "bronze_gladly__customers",
    "bronze_operational__guests",
    "bronze_operational__hotels",
    "bronze_operational__payments",
    "bronze_operational__reservations",
]
FIRST_SEEN = "batch_id, pipeline_run_id, date_to_warehouse"


@dataclass
class Company:
    """The sandbox, the hotels, and a warehouse that the three daily commands fill."""

    directory: Path
    sandbox: Sandbox
    hotels: HotelDatabase
    counts: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """One command as a person would type it, in the project's folder."""
        user, token = self.sandbox.credentials
        environment = {
            **os.environ,
            "DBT_PROFILES_DIR": str(self.directory),
            "GLADLY_URL": self.sandbox.url,
            "GLADLY_USER": user,
            "GLADLY_API_TOKEN": token,
            "GLADLY_REQUESTS_PER_MINUTE": "0",
            "OPERATIONAL_DATABASE_URL": self.hotels.url,
        }
        program = Path(sys.executable).with_name(command[0])
        result = subprocess.run(
            [program, *command[1:]], cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result

    def build(self, *arguments: str) -> None:
        paths = ["--target-path", str(self.directory / "target"), "--log-path", str(self.directory / "logs")]
        self.run("dbt", "--warn-error", "build", *arguments, *paths)

    def load(self) -> None:
        """Both loaders; the counts of what the build then loads are in `counts`."""
        yesterday = str(self.sandbox.today - timedelta(days=1))
        self.run("python", "-m", "loaders.gladly", "--lookback-days", "30", "--end-date", yesterday)
        self.run("python", "-m", "loaders.operational")

    def day(self) -> None:
        """The three daily commands."""
        since = self.query("select now()")[0][0]
        self.load()
        self.build()
        rows = self.query(
            "select source_table, sum(rows_inserted), sum(rows_updated), sum(rows_unchanged)"
            " from hotelmind_warehouse.etl_batches where loaded_at > $since group by 1",
            since=since,
        )
        self.counts = {row[0]: tuple(map(int, row[1:])) for row in rows}

    def query(self, sql: str, **parameters: Any) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.directory / "warehouse.duckdb")) as connection:
            connection.execute("set timezone = 'UTC'")
            return connection.execute(sql, parameters or None).fetchall()

    def table(self, name: str) -> list[tuple[Any, ...]]:
        return self.query(f"select * from bronze.{name} order by record_key")

    def contents(self) -> dict[str, str]:
        """Every table of every layer but the state, as one digest each."""
        tables = self.query(
            "select table_schema || '.' || table_name from information_schema.tables"
            " where table_schema in ('bronze', 'silver', 'gold', 'seeds', 'snapshots')"
        )
        digest = "select md5(string_agg(cast(t as varchar), '|' order by cast(t as varchar))) from {} as t"
        return {name: self.query(digest.format(name))[0][0] for (name,) in tables}


def _sandbox(contacts_per_day: int) -> Sandbox:
    sandbox = Sandbox(today=TODAY, contacts_per_day=contacts_per_day, requests_per_minute=None)
    # A night more or less is one batch more or less of every nested table.
    sandbox.nights |= {TODAY - timedelta(days=age): PENDING for age in range(4, KEPT_DAYS + 1)}
    return sandbox


def _write_profile(directory: Path, target: str, output: dict[str, Any]) -> None:
    profile = {"hotelmind_warehouse": {"target": target, "outputs": {target: output}}}
    (directory / "profiles.yml").write_text(json.dumps(profile))


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    directory = tmp_path_factory.mktemp("company")
    output = {
        "type": "duckdb",
        "path": str(directory / "warehouse.duckdb"),
        "schema": "hotelmind_warehouse",
        "threads": 2,
    }
    _write_profile(directory, "duckdb", output)
    with tempfile.TemporaryDirectory() as data, _sandbox(20) as sandbox, HotelDatabase(data, today=TODAY) as hotels:
        yield Company(directory, sandbox, hotels)


def test_an_empty_clone_builds_green(company: Company) -> None:
    company.build()
    assert company.query("select count(*) from gold.fct_contacts") == [(0,)]


def test_the_first_day_loads_every_source(company: Company) -> None:
    company.day()
    assert company.counts["gladly.contact_export"] == (620, 0, 0)
    assert company.counts["operational.hotels"] == (8, 0, 0)
    assert company.query("select count(*) from gold.fct_contacts") == [(620,)]


def test_a_second_build_changes_no_row(company: Company) -> None:
    contents = company.contents()
    assert len(contents) > 12
    company.build()
    assert company.contents() == contents


def test_the_second_day_updates_corrected_rows_and_keeps_what_was_first_seen(company: Company) -> None:
    first = dict(company.query(f"select record_key, ({FIRST_SEEN}) from bronze.bronze_gladly__contact_export"))
    hashes = dict(company.query("select record_key, record_hash from bronze.bronze_gladly__contact_export"))
    company.sandbox.today += timedelta(days=1)
    company.hotels.live_a_day()
    company.day()
    inserted, updated, unchanged = company.counts["gladly.contact_export"]
    assert inserted == 20
    assert updated > 1
    assert unchanged == 620 - inserted - updated
    assert company.counts["operational.reservations"][1] > 0
    for name in MERGED:
        assert company.query(f"select count(*) = count(distinct record_key) from bronze.{name}") == [(True,)]
    rows = company.query(
        f"select record_key, record_hash, ({FIRST_SEEN}), queued_at from bronze.bronze_gladly__contact_export"
    )
    changed = [row for row in rows if row[0] in hashes and hashes[row[0]] != row[1]]
    assert len(changed) == updated
    assert all(first[row[0]] == row[2] for row in changed)
    corrected = str(company.sandbox.today - timedelta(days=20))
    assert any(row[3].startswith(corrected) for row in changed)


def test_the_second_day_once_more_leaves_the_merge_tables_byte_identical(company: Company) -> None:
    tables = {name: company.table(name) for name in MERGED}
    company.day()
    for name in MERGED:
        source = name.removeprefix("bronze_").replace("__", ".")
        # No night is read twice.
        assert company.counts.get(source, (0, 0))[:2] == (0, 0), source
    assert {name: company.table(name) for name in MERGED} == tables


def test_a_reset_by_a_month_changes_no_row_and_comes_back_to_where_it_was(company: Company) -> None:
    tables = {name: company.table(name) for name in MERGED}
    events = "select * exclude (record_key, batch_id, pipeline_run_id, date_to_warehouse, update_date)"
    events += " from bronze.bronze_gladly__contact_timestamps order by all"
    before = company.query(events)
    marks = "select table_name, last_extracted from hotelmind_warehouse.etl_watermarks"
    # Whole lists and exports have no place to go back to: their watermark is the moment they were read.
    reports = "('gladly.contact_export', 'gladly.contact_timestamps', 'gladly.conversation_export',"
    reports += " 'gladly.conversation_timestamps')"
    marks += f" where table_name like 'operational.%' or table_name in {reports} order by 1"
    watermarks = company.query(marks)
    company.query(
        "update hotelmind_warehouse.etl_watermarks set last_extracted = $moment where table_name like '%.%'",
        moment=datetime(2026, 1, 1, tzinfo=UTC),
    )
    company.day()
    # The window begins a month earlier than any before: what stood is untouched, and older contacts come.
    stood = {name: set(rows) for name, rows in tables.items()}
    assert {name: [row for row in company.table(name) if row in stood[name]] for name in MERGED} == tables
    assert company.query(
        "select count(*) = count(distinct record_key), count(*) filter (where queued_at < '2025-12-31') > 0,"
        " count(*) filter (where queued_at >= '2025-12-31') from bronze.bronze_gladly__contact_export"
    ) == [(True, True, 640)]
    after = company.query(events)
    assert [row for row in after if row in set(before)] == before
    assert company.query(marks) == watermarks


def test_gold_agrees_with_the_source_database(company: Company) -> None:
    with psycopg2.connect(company.hotels.url) as connection, connection.cursor() as cursor:
        cursor.execute("select count(*), sum(amount_usd) from reservations")
        assert company.query("select count(*), sum(amount_usd) from gold.fct_reservations") == [cursor.fetchone()]


def test_an_empty_build_of_a_filled_warehouse_changes_no_bronze_row(company: Company) -> None:
    tables = {name: company.table(name) for name in MERGED}
    company.load()
    company.build("--empty")
    assert {name: company.table(name) for name in MERGED} == tables
    company.build("--full-refresh")
    assert {name: company.table(name) for name in MERGED} == tables
    assert company.query("select count(*) >= 640 from gold.fct_contacts") == [(True,)]


class PostgresCompany(Company):
    """The same with a warehouse in PostgreSQL, a database of the hotels' server."""

    def query(self, sql: str, **parameters: Any) -> list[tuple[Any, ...]]:
        with connected(self.hotels.url.replace("/postgres?", "/warehouse?")) as cursor:
            cursor.execute(sql, parameters or None)
            return list(cursor.fetchall()) if cursor.description else []


def test_on_postgresql_a_second_build_changes_no_row_either(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as data, _sandbox(5) as sandbox, HotelDatabase(data, today=TODAY) as hotels:
        with connected(hotels.url) as cursor:
            cursor.execute("create database warehouse")
        server = psycopg2.extensions.parse_dsn(hotels.url)
        output = {
            "type": "postgres",
            "host": server["host"],
            "port": int(server["port"]),
            "user": server["user"],
            "password": "unused",
            "dbname": "warehouse",
            "schema": "hotelmind_warehouse",
            "threads": 2,
        }
        _write_profile(tmp_path, "postgres", output)
        company = PostgresCompany(tmp_path, sandbox, hotels)
        company.load()
        company.build()
        contents = company.contents()
        assert len(contents) > 40
        company.build()
        assert company.contents() == contents

"""python -m demo: two days of a hotel company, from the sandbox and a real database to gold."""

from __future__ import annotations

import argparse
import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import requests
from rich.console import Console
from rich.table import Table

from demo.hotels import HotelDatabase
from demo.sandbox import Sandbox
from demo.warehouse import DemoWarehouse, open_warehouse

FIRST_DAY = date(2026, 1, 31)
DIRECTORY = Path(".demo")
ONE_DAY = timedelta(days=1)

_COUNTS = """
select source_table, sum(row_count) as landed, sum(rows_inserted) as inserted, sum(rows_updated) as updated,
    sum(rows_unchanged) as unchanged, sum(rows_deleted) as replaced
from hotelmind_warehouse.etl_batches
where status = 'loaded' and loaded_at > $since
group by source_table order by source_table
"""
_GOLD = """
select queued_date, inbox_name, channel, contact_count
from gold.agg_day_channel_inbox_contacts
where queued_date = $day
order by contact_count desc, channel, inbox_name limit 5
"""


def main() -> int:
    """Run the three daily commands for two days, and once more; show what each of them changed."""
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument("--target", choices=["duckdb", "postgres"], default="duckdb", help="the warehouse's engine")
    parser.add_argument("--contacts-per-day", type=int, default=40, metavar="N", help="size of the support desk")
    options = parser.parse_args()
    with _world(options.target, options.contacts_per_day) as world:
        _run_day("Day 1", world)
        world.sandbox.today += ONE_DAY
        world.hotels.live_a_day()
        _run_day("Day 2, the sandbox and the hotels have lived one more day", world)
        _run_day("Day 2 once more, nothing may change", world)
        _show_gold(world)
        print(f"\nThe warehouse is {world.warehouse.place}.")
    return 0


@dataclass(frozen=True)
class World:
    """The support desk, the hotels, and the warehouse between them."""

    sandbox: Sandbox
    hotels: HotelDatabase
    warehouse: DemoWarehouse


@contextmanager
def _world(target: str, contacts_per_day: int) -> Iterator[World]:
    """Everything from nothing. The sandbox's limits are off, and with them the loader's pace."""
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    DIRECTORY.mkdir()
    sandbox = Sandbox(today=FIRST_DAY, contacts_per_day=contacts_per_day, requests_per_minute=None, row_cap=None)
    with (
        tempfile.TemporaryDirectory() as directory,
        sandbox,
        HotelDatabase(directory, today=FIRST_DAY) as hotels,
        open_warehouse(target, DIRECTORY, hotels.url) as warehouse,
    ):
        yield World(sandbox, hotels, warehouse)


def _run_day(title: str, world: World) -> None:
    print(f"\n=== {title} ===", flush=True)
    since = world.warehouse.query("select now()")[0][0]
    user, token = world.sandbox.credentials
    environment = {
        **os.environ,
        **world.warehouse.environment,
        "DBT_PROFILES_DIR": "demo",
        "DBT_TARGET": world.warehouse.target,
        "GLADLY_URL": world.sandbox.url,
        "GLADLY_USER": user,
        "GLADLY_API_TOKEN": token,
        "GLADLY_REQUESTS_PER_MINUTE": "0",
        "OPERATIONAL_DATABASE_URL": world.hotels.url,
    }
    yesterday = str(world.sandbox.today - ONE_DAY)
    for command in (
        ["python", "-m", "loaders.gladly", "--lookback-days", "30", "--end-date", yesterday],
        ["python", "-m", "loaders.operational"],
        ["dbt", "--quiet", "--warn-error", "build"],
    ):
        started = time.monotonic()
        print(f"$ {' '.join(command)}", flush=True)
        # The programs of the environment that runs the demo, whether or not it is activated.
        program = Path(sys.executable).with_name(command[0])
        subprocess.run([program, *command[1:]], env=environment, check=True)  # noqa: S603
        print(f"  {time.monotonic() - started:.1f} s", flush=True)
    headers = ["source table", "landed", "inserted", "updated", "unchanged", "replaced"]
    _print(headers, world.warehouse.query(_COUNTS, since=since))


def _show_gold(world: World) -> None:
    """Five rows of gold, each with what the sandbox itself says: the rows of its own report, counted here."""
    day = world.sandbox.today - ONE_DAY
    answer = requests.post(
        f"{world.sandbox.url}/api/v1/reports",
        json={"metricSet": "ContactExportReportV3", "startAt": str(day), "endAt": str(day), "timezone": "UTC"},
        auth=world.sandbox.credentials,
        timeout=60,
    )
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    query = world.warehouse.query
    words: dict[str, str] = dict(query("select spelling, channel from seeds.seed_channels where vocabulary = 'report'"))
    theirs = Counter((row["Inbox When Queued"], words[row["Channel"]]) for row in rows)
    shown = [(*row, theirs[row[1], row[2]]) for row in query(_GOLD, day=day)]
    print(f"\n=== Gold: contacts of {day}, and the rows of the sandbox's own report ===")
    _print(["day", "inbox", "channel", "gold", "sandbox"], shown)


def _print(headers: list[str], rows: list[tuple[Any, ...]]) -> None:
    table = Table(*headers)
    for row in rows:
        table.add_row(*map(str, row))
    Console(width=None if sys.stdout.isatty() else 120).print(table)


if __name__ == "__main__":
    sys.exit(main())

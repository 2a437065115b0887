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

from demo.export_jobs import KEPT_DAYS, PENDING, Night
from demo.hotels import HotelDatabase
from demo.json_faults import AmbiguousPayload
from demo.sandbox import Sandbox
from demo.warehouse import DemoWarehouse, open_warehouse

FIRST_DAY = date(2026, 1, 31)
DIRECTORY = Path(".demo")
ONE_DAY = timedelta(days=1)
_NIGHTS = 5

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
_ADDRESSES = """
select root.id, child.value
from bronze.bronze_gladly__customers__email_addresses as child
inner join bronze.bronze_gladly__customers as root on child.root_row_id = root.row_id
"""
_REFUSED = """
select source_table, batch_id, reason from hotelmind_warehouse.etl_batches
where status = 'landed' and reason is not null
"""
# What was content.sessionId until yesterday comes under a name that would make the same column.
RENAMED_FIELD = AmbiguousPayload(keys={"session_id": "s-1"})


def main() -> int:
    """Run the three daily commands for two days, and once more; show what they changed, and what was refused."""
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument(
        "--target", choices=["duckdb", "postgres", "snowflake"], default="duckdb", help="the warehouse's engine"
    )
    parser.add_argument("--contacts-per-day", type=int, default=40, metavar="N", help="size of the support desk")
    options = parser.parse_args()
    with _world(options.target, options.contacts_per_day) as world:
        _run_day("Day 1", world)
        addresses = _addresses(world)
        world.sandbox.nights[FIRST_DAY] = Night(faults={"conversation_items.jsonl": RENAMED_FIELD})
        world.sandbox.today += ONE_DAY
        world.hotels.live_a_day()
        _run_day("Day 2, the sandbox and the hotels have lived one more day", world, is_refused=True)
        _show_lost_addresses(world, addresses)
        _reject_refused(world)
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

    @property
    def warehouse_environment(self) -> dict[str, str]:
        """What a command needs to find the warehouse."""
        return {
            **os.environ,
            **self.warehouse.environment,
            "DBT_PROFILES_DIR": "demo",
            "DBT_TARGET": self.warehouse.target,
        }


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
        # The nightly export was switched on a few days ago.
        for age in range(_NIGHTS + 1, KEPT_DAYS + 1):
            sandbox.nights[FIRST_DAY - age * ONE_DAY] = PENDING
        yield World(sandbox, hotels, warehouse)


def _run_day(title: str, world: World, *, is_refused: bool = False) -> None:
    """The three commands; `is_refused` says that the build has to end with a refused batch, and all others loaded."""
    print(f"\n=== {title} ===", flush=True)
    since = world.warehouse.query("select current_timestamp")[0][0]
    user, token = world.sandbox.credentials
    environment = {
        **world.warehouse_environment,
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
        code = subprocess.run([program, *command[1:]], env=environment, check=False).returncode  # noqa: S603
        if code != int(is_refused and command[0] == "dbt"):
            sys.exit(f"this command ended with {code}")
        print(f"  {time.monotonic() - started:.1f} s", flush=True)
    headers = ["source table", "landed", "inserted", "updated", "unchanged", "replaced"]
    _print(headers, world.warehouse.query(_COUNTS, since=since))


def _addresses(world: World) -> dict[str, set[str]]:
    """The e-mail addresses of every customer who has one."""
    found: dict[str, set[str]] = {}
    for customer, address in world.warehouse.query(_ADDRESSES):
        found.setdefault(customer, set()).add(address)
    return found


def _show_lost_addresses(world: World, before: dict[str, set[str]]) -> None:
    """A child goes with its parent's new version."""
    now = _addresses(world)
    lost = [
        (customer, address, ", ".join(sorted(now.get(customer, ()))))
        for customer, addresses in before.items()
        for address in sorted(addresses - now.get(customer, set()))
    ]
    print("\n=== Addresses that came no more with their customer's new version; all others stand as they were ===")
    _print(["customer", "lost", "left"], lost)


def _reject_refused(world: World) -> None:
    """What a person does about a refused batch that the source will not correct."""
    ((source_table, batch_id, reason),) = world.warehouse.query(_REFUSED)
    print(f"\n=== {source_table} {batch_id} is refused, and waits ===\n{reason}")
    command = ["-m", "loaders.status", "reject", source_table, batch_id]
    print(f"$ python {' '.join(command)}", flush=True)
    subprocess.run([sys.executable, *command], env=world.warehouse_environment, check=True)  # noqa: S603


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

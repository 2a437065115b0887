"""Two builds of one PostgreSQL warehouse at the same time: one writer a table, and nothing twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from warehouse import Warehouse, connected, contacts


def build_twice(warehouse: Warehouse) -> list[str]:
    """What two builds said that both met the table while it was locked, and so began with the same pending batch."""
    assert warehouse.url
    command = [str(Path(sys.executable).with_name("dbt")), *warehouse.arguments("--no-use-colors", "build")]
    with connected(warehouse.url) as cursor:
        cursor.execute("begin; lock table bronze.bronze_contacts in share row exclusive mode")
        builds = [
            subprocess.Popen(
                [*command, "--target-path", str(warehouse.directory / name)], stdout=subprocess.PIPE, text=True
            )
            for name in ("one", "other")
        ]
        waiting = (
            "select count(*) = 2 from pg_locks where not granted and relation = 'bronze.bronze_contacts'::regclass"
        )
        while not warehouse.query(waiting)[0][0]:
            assert [build.poll() for build in builds] == [None, None]
        cursor.execute("rollback")
    return [build.communicate()[0] for build in builds]


@pytest.mark.parametrize("strategy", ["bronze_merge", "batch_replace"])
def test_two_builds_at_once_load_a_batch_once(postgres_warehouse: Warehouse, strategy: str) -> None:
    postgres_warehouse.model(strategy, record_key=["contact_id"])
    postgres_warehouse.deliver(contacts(("A", "1")))
    postgres_warehouse.build()
    postgres_warehouse.deliver(contacts(("A", "2"), ("B", "1")))
    outputs = build_twice(postgres_warehouse)
    assert sorted("nothing new" in output for output in outputs) == [False, True]
    assert all("Completed successfully" in output for output in outputs), outputs
    kept = [("A", "1")] if strategy == "batch_replace" else []
    assert postgres_warehouse.rows("contact_id", "status") == sorted([*kept, ("A", "2"), ("B", "1")])
    assert postgres_warehouse.ledger("status") == [("loaded",), ("loaded",)]

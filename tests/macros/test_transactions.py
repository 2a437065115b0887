"""One batch, one transaction: rows, ledger and watermark move together or not at all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest

from warehouse import Row, Warehouse, contacts

STRATEGIES = ["bronze_merge", "batch_replace", "truncate_insert"]


# Of all constraints, the one that every engine enforces.
REFUSE_NULL = "alter table bronze.bronze_contacts alter column ref set not null"
ACCEPT_NULL = "alter table bronze.bronze_contacts alter column ref drop not null"


def refs(*rows: tuple[str, str, str | None]) -> list[Row]:
    return [{"Contact ID": key, "Status": status, "Ref": ref} for key, status, ref in rows]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_load_that_the_target_refuses_leaves_the_old_rows(warehouse: Warehouse, strategy: str) -> None:
    warehouse.model(strategy)
    warehouse.deliver(refs(("T-1", "OPEN", "r1"), ("T-2", "OPEN", "r2"), ("T-3", "OPEN", "r3")), batch_id="b1")
    warehouse.build()
    warehouse.query(REFUSE_NULL)
    snapshot = warehouse.snapshot()
    warehouse.deliver(refs(("T-1", "CLOSED", "r1"), ("T-2", "CLOSED", "r9"), ("T-4", "CLOSED", None)), batch_id="b1")
    assert "null" in warehouse.dbt("build").failure().lower()
    assert warehouse.refused() == snapshot

    warehouse.query(ACCEPT_NULL)
    warehouse.build()
    stored = [("T-1", "CLOSED"), ("T-2", "CLOSED"), ("T-4", "CLOSED")]
    kept = [("T-3", "OPEN")] if strategy == "bronze_merge" else []
    assert warehouse.rows("contact_id", "status") == sorted(stored + kept)


def test_on_postgresql_under_autocommit_a_failed_load_leaves_the_old_rows_too(postgres_warehouse: Warehouse) -> None:
    postgres_warehouse.credentials["autocommit"] = True
    test_a_load_that_the_target_refuses_leaves_the_old_rows(postgres_warehouse, "batch_replace")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_of_three_pending_batches_the_second_fails_at_its_last_statement(warehouse: Warehouse, strategy: str) -> None:
    warehouse.model(strategy)
    days = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 3)]
    counts = (1, 10, 11)
    for number, (day, count) in enumerate(zip(days, counts, strict=True)):
        rows = contacts(*((f"C-{key:02}", f"batch {number}") for key in range(count)))
        warehouse.deliver(rows, batch_id="same", high=day) if strategy == "batch_replace" else warehouse.deliver(
            rows, high=day
        )
        if strategy == "batch_replace":
            # One batch id would be superseded while it is pending; here each attempt is to be loaded.
            warehouse.query("update hotelmind_warehouse.etl_batches set status = 'landed', reason = null")
    # The watermark's move is a load's last statement: make the second one fail, by a count too high for its column.
    warehouse.build("--empty")
    warehouse.query("drop table hotelmind_warehouse.etl_watermarks")
    warehouse.query(
        "create table hotelmind_warehouse.etl_watermarks (table_name varchar primary key, last_extracted timestamptz,"
        " last_run_at timestamptz, rows_extracted numeric(1, 0))"
    )
    assert not warehouse.dbt("build").success
    assert warehouse.rows("contact_id", "status") == [("C-00", "batch 0")]
    assert warehouse.ledger("status", "rows_inserted") == [("loaded", 1), ("landed", None), ("landed", None)]
    assert warehouse.watermark() == days[0]

    warehouse.query("drop table hotelmind_warehouse.etl_watermarks")
    warehouse.build()
    assert warehouse.rows("contact_id", "status") == [(f"C-{key:02}", "batch 2") for key in range(11)]
    assert warehouse.ledger("status") == [("loaded",)] * 3
    assert warehouse.watermark() == days[2]


def test_a_model_after_a_failed_one_begins_clean_on_the_same_thread(warehouse: Warehouse) -> None:
    table = {"name": "zeta", "config": {"meta": {"record_key": ["contact_id"]}}}
    warehouse.write("models/_zeta__sources.yml", json.dumps({"sources": [{"name": "zeta", "tables": [table]}]}))
    warehouse.write(
        "models/bronze_zeta.sql",
        "{{ config(materialized='bronze_merge', schema='bronze') }}\nselect * from {{ landed('zeta', 'zeta') }}\n",
    )
    warehouse.deliver(refs(("T-1", "OPEN", "r1")))
    warehouse.build("--threads", "1")
    warehouse.query(REFUSE_NULL)
    warehouse.deliver(refs(("T-2", "OPEN", None)))
    warehouse.deliver(contacts(("Z-1", "OPEN")), source_table="zeta.zeta")
    build = warehouse.dbt("build", "--threads", "1")
    assert not build.success
    assert build.results["bronze_zeta"] == "1 batch: 1 landed, 1 inserted, 0 updated, 0 unchanged"
    assert warehouse.rows("contact_id", table="bronze.bronze_zeta") == [("Z-1",)]


@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.4])
def test_kill_9_in_the_middle_of_a_load_leaves_all_before_or_all_after(warehouse: Warehouse, seconds: float) -> None:
    count = 60_000
    warehouse.deliver(contacts(*((f"C-{key}", "before") for key in range(count))))
    warehouse.build()
    warehouse.deliver(contacts(*((f"C-{key}", "after") for key in range(count))))
    process = subprocess.Popen(
        [sys.executable, "-m", "dbt.cli.main", *warehouse.arguments("build")],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    for line in process.stdout:
        if "bronze_contacts" in line:
            break
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    warehouse.end_abandoned_transactions()

    states = warehouse.query("select status, count(*) from bronze.bronze_contacts group by status")
    (ledger,) = warehouse.ledger("status")[1:]
    assert (states, ledger) in [([("before", count)], ("landed",)), ([("after", count)], ("loaded",))]
    warehouse.build()
    assert warehouse.query("select status, count(*) from bronze.bronze_contacts group by status") == [("after", count)]
    assert warehouse.ledger("status") == [("loaded",)] * 2

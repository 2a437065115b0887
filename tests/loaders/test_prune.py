"""python -m loaders.stage prune: stored rows go once they are old and done with; what is known of them stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from loaders.batch import Batch
from loaders.stage import open_stage
from loaders.stage.__main__ import main
from loaders.stage.prune import prune
from warehouse import Warehouse, contacts

A, B = contacts(("A", "1")), contacts(("B", "1"))


@pytest.fixture
def pruning(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs `prune` in the warehouse's own project; its output."""
    warehouse.enter(monkeypatch)

    def run(*arguments: str) -> str:
        capsys.readouterr()
        assert main(["prune", "--older-than", "14d", *arguments]) == 0
        return capsys.readouterr().out

    return run


def age(warehouse: Warehouse, days: int, condition: str = "true") -> None:
    """Let batches have been touched so many days ago."""
    moment = datetime.now(UTC) - timedelta(days=days)
    warehouse.query(
        "update hotelmind_warehouse.etl_batches set landed_at = $moment,"
        f" loaded_at = case when loaded_at is not null then $moment end where {condition}",
        moment=moment,
    )


def stored(warehouse: Warehouse, batch: Batch) -> bool:
    return bool(open_stage(warehouse.target).held([str(batch.location)]))


def test_old_batches_that_are_done_with_go_and_their_ledger_rows_stay(warehouse: Warehouse, pruning: Any) -> None:
    loaded = warehouse.deliver(A, batch_id="loaded")
    read_again = warehouse.deliver(A, batch_id="twice")
    loaded_too = warehouse.deliver(A, batch_id="twice")
    warehouse.build()
    rejected = warehouse.deliver(A, batch_id="rejected")
    warehouse.query("update hotelmind_warehouse.etl_batches set status = 'rejected' where batch_id = 'rejected'")
    age(warehouse, 15)
    pending = warehouse.deliver(B, batch_id="pending")
    age(warehouse, 100, "batch_id = 'pending'")
    ledger, rows = warehouse.ledger("*"), warehouse.whole()
    output = pruning()
    assert "desk.contacts twice: 2 stored batches (" in output
    assert "\n4 stored batches removed (" in output
    gone = [stored(warehouse, one) for one in (loaded, read_again, loaded_too, rejected)]
    assert (gone, stored(warehouse, pending)) == ([False] * 4, True)
    assert (warehouse.ledger("*"), warehouse.whole()) == (ledger, rows)
    # Once more there is nothing to do, and what is pending loads.
    assert pruning() == "0 stored batches removed (0.0 MB)\n"
    warehouse.build()
    assert warehouse.rows("contact_id") == [("A",), ("B",)]


def test_what_is_younger_than_asked_for_stays(warehouse: Warehouse, pruning: Any) -> None:
    batch = warehouse.deliver(A)
    warehouse.build()
    age(warehouse, 13)
    assert pruning() == "0 stored batches removed (0.0 MB)\n"
    assert stored(warehouse, batch)
    assert pruning("--older-than", "12d").endswith("1 stored batches removed (0.0 MB)\n")
    assert not stored(warehouse, batch)


def test_a_dry_run_names_what_would_go_and_removes_nothing(warehouse: Warehouse, pruning: Any) -> None:
    assert pruning("--dry-run") == "0 stored batches would be removed (0.0 MB)\n"
    batch = warehouse.deliver(A, batch_id="b")
    warehouse.build()
    age(warehouse, 15)
    output = pruning("--dry-run")
    assert output.startswith("desk.contacts b: stored batch (")
    assert "would be removed" in output
    assert stored(warehouse, batch)


def test_a_replayed_batch_that_is_pending_keeps_its_rows(warehouse: Warehouse, pruning: Any) -> None:
    batch = warehouse.deliver(A, batch_id="b")
    warehouse.build()
    age(warehouse, 15)
    names = "source_table, batch_id, location, extracted_at"
    warehouse.query(
        f"insert into hotelmind_warehouse.etl_batches (status, pipeline_run_id, {names})"
        f" select 'landed', 'again', {names} from hotelmind_warehouse.etl_batches"
    )
    pruning()
    assert stored(warehouse, batch)


def test_a_package_goes_as_a_whole_or_not_at_all(warehouse: Warehouse, pruning: Any) -> None:
    names = ("desk.items_raw", "desk.items", "desk.items__parts")
    batches = [warehouse.deliver(A, batch_id="job", source_table=name) for name in names]
    warehouse.query(
        "update hotelmind_warehouse.etl_batches set status = 'loaded' where source_table <> 'desk.items__parts'"
    )
    age(warehouse, 15)
    assert pruning() == "0 stored batches removed (0.0 MB)\n"
    warehouse.query("update hotelmind_warehouse.etl_batches set status = 'loaded'")
    assert pruning().startswith("desk.items job: 3 stored batches (")
    assert not any(stored(warehouse, one) for one in batches)


PRUNING = """
import json, os, signal, sys
from datetime import UTC, datetime
from loaders.settings import Target
from loaders.stage import open_stage
from loaders.stage.prune import prune

credentials = json.loads(sys.argv[1])
stage = open_stage(Target('t', credentials['type'], credentials['schema'], credentials))
with stage.write_ledger() as ledger:
    for one in prune(stage, ledger, before=datetime.now(UTC)):
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_kill_9_between_two_batches_is_finished_by_the_next_prune(warehouse: Warehouse, pruning: Any) -> None:
    batches = [warehouse.deliver(A), warehouse.deliver(B)]
    warehouse.query("update hotelmind_warehouse.etl_batches set status = 'loaded'")
    age(warehouse, 15)
    ledger = warehouse.ledger("*")
    credentials = json.dumps(dict(warehouse.target.credentials))
    subprocess.run([sys.executable, "-c", PRUNING, credentials], check=False)
    warehouse.end_abandoned_transactions()
    assert [stored(warehouse, one) for one in batches] == [False, True]
    assert pruning().endswith("\n1 stored batches removed (0.0 MB)\n")
    assert warehouse.ledger("*") == ledger


def test_nothing_is_replayed_while_a_prune_decides(postgres_warehouse: Warehouse) -> None:
    warehouse = postgres_warehouse
    warehouse.deliver(A)
    warehouse.build()
    stage = open_stage(warehouse.target)
    with stage.write_ledger() as ledger:
        list(prune(stage, ledger, before=datetime.now(UTC), dry_run=True))
        held = "select pg_try_advisory_lock(hashtext('hotelmind_warehouse'))"
        assert warehouse.query(held) == [(False,)]
    assert warehouse.query(held) == [(True,)]


def test_what_killed_processes_left_is_swept_once_older_than_a_day(
    duckdb_warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse = duckdb_warehouse
    warehouse.enter(monkeypatch)
    pending = warehouse.deliver(A)
    stage = warehouse.directory / "stage"
    (stage / ".contacts_000000000000.1").write_bytes(b"half")
    for name in (".items_000000000000.generation", "items_111111111111", "items_222222222222"):
        (stage / name).mkdir()
        (stage / name / "manifest.json").write_text("{}")
    # The ledger knows of this one.
    warehouse.deliver(A, source_table="desk.items")
    warehouse.query(
        "update hotelmind_warehouse.etl_batches set location = 'stage/items_222222222222/items.parquet'"
        " where source_table = 'desk.items'"
    )
    before = sorted(path.name for path in stage.iterdir())
    assert main(["prune", "--older-than", "14d"]) == 0
    assert sorted(path.name for path in stage.iterdir()) == before
    old = time.time() - timedelta(hours=25).total_seconds()
    for path in stage.rglob("*"):
        os.utime(path, (old, old))
    assert main(["prune", "--older-than", "14d", "--dry-run"]) == 0
    assert "items_111111111111: left by a killed process, would be removed" in capsys.readouterr().out
    assert main(["prune", "--older-than", "14d"]) == 0
    left = {path.name for path in stage.iterdir()}
    assert set(before) - left == {".contacts_000000000000.1", ".items_000000000000.generation", "items_111111111111"}
    assert str(pending.location).removeprefix("stage/") in left


@pytest.mark.parametrize("text", ["14", "d14", "14 days", "-1d", ""])
def test_an_age_that_is_none_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["prune", f"--older-than={text}"])
    assert f"{text!r} is not an age such as 14d, 36h or 2w" in capsys.readouterr().err

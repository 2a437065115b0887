"""python -m loaders.status: how far everything has come, and the two decisions about one batch."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from loaders.attempt import Attempt, package_of
from loaders.stage import open_stage
from loaders.status.__main__ import main
from warehouse import EXTRACTED_AT, Warehouse, contacts

A, B = contacts(("A", "1")), contacts(("B", "1"))
BLANK = contacts(("", "1"))
DAY = datetime(2026, 1, 10, tzinfo=UTC)


@pytest.fixture
def status(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the command in the warehouse's own project; its exit code, its output, its errors."""
    warehouse.enter(monkeypatch)

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        return main(arguments), *capsys.readouterr()

    return run


def document(status: Any) -> Any:
    code, output, _ = status("--json")
    assert code == 0
    return json.loads(output)


def test_before_anything_ran_every_declared_source_is_shown_as_never_loaded(warehouse: Warehouse, status: Any) -> None:
    assert document(status)["sources"] == [
        {
            "source_table": "desk.contacts",
            "state": "never loaded",
            "last_extracted": None,
            "behind_seconds": None,
            "last_run_at": None,
            "idle_seconds": None,
            "rows_extracted": None,
            "pending": 0,
            "refused": 0,
            "rejected": 0,
        }
    ]
    # It was only looked at.
    assert not (warehouse.directory / "warehouse.duckdb").exists()
    code, output, _ = status()
    assert code == 0
    assert "never loaded" in output
    assert "Pending batches; one with a reason was refused: none" in output


def test_lateness_is_counted_from_the_watermark_and_from_the_last_load(warehouse: Warehouse, status: Any) -> None:
    high = datetime.now(UTC) - timedelta(days=3)
    warehouse.deliver(A, high=high)
    warehouse.build()
    (source,) = document(status)["sources"]
    assert source["state"] == "loaded"
    assert source["rows_extracted"] == 1
    assert 3 * 86400 <= source["behind_seconds"] < 3 * 86400 + 600
    assert 0 <= source["idle_seconds"] < 600
    assert "3 days, 0:0" in status()[1]


def test_pending_refused_and_rejected_batches_are_told_apart(warehouse: Warehouse, status: Any) -> None:
    warehouse.deliver(A, batch_id="set aside")
    status("reject", "desk.contacts", "set aside", "--reason", "wrong hotel")
    warehouse.deliver(BLANK, batch_id="refused")
    warehouse.dbt("build").failure()
    warehouse.deliver(B, batch_id="waiting")
    warehouse.deliver(B, batch_id="unread", source_table="desk.nobody")
    found = document(status)
    assert [(row["batch_id"], (row["reason"] or "")[:18]) for row in found["pending"]] == [
        ("refused", "contact_id is NULL"),
        ("waiting", ""),
        ("unread", ""),
    ]
    assert [(row["batch_id"], row["reason"]) for row in found["rejected"]] == [("set aside", "wrong hotel")]
    counts = [
        (row["source_table"], row["state"], row["pending"], row["refused"], row["rejected"]) for row in found["sources"]
    ]
    assert counts == [("desk.contacts", "never loaded", 2, 1, 1), ("desk.nobody", "not declared", 1, 0, 0)]


def test_incremental_models_are_shown_beside_the_sources(warehouse: Warehouse, status: Any) -> None:
    warehouse.build()
    warehouse.query(
        "insert into hotelmind_warehouse.etl_watermarks values ('silver_contacts', $moment, $moment, null)", moment=DAY
    )
    assert [row["model"] for row in document(status)["models"]] == ["silver_contacts"]


def test_rejecting_a_refused_batch_lets_those_behind_it_load_and_the_watermark_stands_before_the_hole(
    warehouse: Warehouse, status: Any
) -> None:
    warehouse.deliver(A, low=None, high=DAY)
    warehouse.build()
    hole, after = DAY + timedelta(days=1), DAY + timedelta(days=2)
    warehouse.deliver(BLANK, batch_id="bad", low=DAY, high=hole)
    warehouse.deliver(B, low=hole, high=after)
    warehouse.dbt("build").failure()
    code, output, _ = status("reject", "desk.contacts", "bad", "--reason", "the desk had lost its ids")
    assert (code, output) == (0, "desk.contacts bad: rejected; what was read later loads without it\n")
    assert warehouse.ledger("status", "reason")[1][0] == "rejected"
    assert warehouse.ledger("reason")[1][0].startswith("the desk had lost its ids (refused: contact_id is NULL")
    warehouse.build()
    assert warehouse.rows("contact_id") == [("A",), ("B",)]
    assert warehouse.watermark() == DAY
    # Asked for again, the hole is filled.
    warehouse.deliver(contacts(("C", "1")), batch_id="bad", low=DAY, high=hole)
    warehouse.build()
    assert warehouse.watermark() == hole


def test_a_rejected_batch_that_is_replayed_loads_as_if_it_had_waited(warehouse: Warehouse, status: Any) -> None:
    first = warehouse.deliver(A, batch_id="b", high=DAY)
    status("reject", "desk.contacts", "b", "--reason", "not yet")
    warehouse.build()
    assert warehouse.rows("record_key") == []
    code, output, _ = status("replay", "desk.contacts", "b")
    assert (code, output) == (0, "desk.contacts b: landed again; `dbt build` loads it\n")
    warehouse.build()
    assert warehouse.rows("contact_id") == [("A",)]
    assert warehouse.watermark() == DAY
    old, replayed = warehouse.ledger("status", "reason", "pipeline_run_id", "location", "sha256", "extracted_at")
    assert old[:3] == ("superseded", f"rejected (not yet); replayed as {replayed[2]}", first.pipeline_run_id)
    assert replayed[:2] == ("loaded", None)
    assert replayed[3:] == old[3:]
    assert len(warehouse.stage()) == 1
    assert open_stage(warehouse.target).adopt() == []


def test_a_loaded_batch_that_is_replayed_brings_back_what_bronze_lost_and_touches_nothing_else(
    warehouse: Warehouse, status: Any
) -> None:
    warehouse.deliver(contacts(("A", "1"), ("B", "1")), batch_id="b", high=DAY)
    warehouse.build()
    kept = warehouse.query("select * from bronze.bronze_contacts where contact_id = 'A'")
    warehouse.query("delete from bronze.bronze_contacts where contact_id = 'B'")
    status("replay", "desk.contacts", "b")
    assert warehouse.build().results["bronze_contacts"] == "1 batch: 2 landed, 1 inserted, 0 updated, 1 unchanged"
    assert warehouse.query("select * from bronze.bronze_contacts where contact_id = 'A'") == kept
    # History: when it was first loaded, that it was replayed, and what that did.
    first, again = warehouse.ledger("status", "rows_inserted", "reason", "loaded_at")
    assert first[:3] == ("loaded", 2, f"replayed as {warehouse.ledger('pipeline_run_id')[1][0]}")
    assert again[:3] == ("loaded", 1, None)
    assert first[3] < again[3]
    assert warehouse.watermark() == DAY


def test_replaying_a_batch_does_not_overwrite_what_was_read_after_it(warehouse: Warehouse, status: Any) -> None:
    warehouse.model(source_meta={"cursor": "updated_at"})

    def version(status: str, updated_at: str) -> list[dict[str, str | None]]:
        return [{"Contact ID": "A", "Status": status, "Updated At": updated_at}]

    warehouse.deliver(version("first", "2026-01-01 00:00:00+00"), batch_id="first")
    warehouse.deliver(version("second", "2026-01-02 00:00:00+00"), batch_id="second")
    warehouse.build()
    whole = warehouse.whole()
    status("replay", "desk.contacts", "first")
    warehouse.build()
    assert warehouse.whole() == whole


def test_replaying_an_appended_batch_never_appends_it_twice(warehouse: Warehouse, status: Any) -> None:
    warehouse.model("append", record_key=[])
    warehouse.deliver(A, batch_id="b")
    warehouse.build()
    status("replay", "desk.contacts", "b")
    warehouse.build()
    assert warehouse.rows("contact_id") == [("A",)]
    assert [row[0] for row in warehouse.ledger("status")] == ["loaded", "superseded"]
    # One that was set aside before it was loaded may still come, once.
    warehouse.deliver(B, batch_id="c")
    status("reject", "desk.contacts", "c")
    status("replay", "desk.contacts", "c")
    warehouse.build()
    assert warehouse.rows("contact_id") == [("A",), ("B",)]


def test_a_replayed_day_is_replaced_by_its_own_rows(warehouse: Warehouse, status: Any) -> None:
    warehouse.model("batch_replace")
    warehouse.deliver(A, batch_id="2026-01-01")
    warehouse.deliver(B, batch_id="2026-01-02")
    warehouse.build()
    status("replay", "desk.contacts", "2026-01-01")
    assert warehouse.build().results["bronze_contacts"].endswith("1 inserted, 0 updated, 0 unchanged, 1 deleted")
    assert warehouse.rows("contact_id", "batch_id") == [("A", "2026-01-01"), ("B", "2026-01-02")]


def test_of_several_attempts_the_one_read_last_is_replayed_unless_another_is_named(
    warehouse: Warehouse, status: Any
) -> None:
    first = warehouse.deliver(A, batch_id="b")
    warehouse.deliver(B, batch_id="b")
    status("reject", "desk.contacts", "b")
    status("replay", "desk.contacts", "b")
    warehouse.build()
    assert warehouse.rows("contact_id") == [("B",)]
    code, _, errors = status("replay", "desk.contacts", "b", "--attempt", "nobody's")
    assert code == 2
    assert f'no attempt "nobody\'s"; there are: {first.pipeline_run_id}, ' in errors
    assert status("replay", "desk.contacts", "b", "--attempt", first.pipeline_run_id)[0] == 0


def test_what_was_pruned_cannot_be_replayed(warehouse: Warehouse, status: Any) -> None:
    landed = warehouse.deliver(A, batch_id="b")
    warehouse.build()
    before = warehouse.snapshot()
    open_stage(warehouse.target).remove([str(landed.location)])
    code, _, errors = status("replay", "desk.contacts", "b")
    assert code == 1
    assert f"desk.contacts b: its stored rows were pruned ({landed.location}); ask the source again" in errors
    assert warehouse.snapshot() == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["reject", "desk.nothing", "b"], 2, "no batch of 'desk.nothing'; there are batches of: desk.contacts"),
        (["replay", "desk.contacts", "x"], 2, "desk.contacts has no batch 'x'; the last are: loaded, waiting, aside"),
        (
            ["reject", "desk.contacts", "loaded"],
            1,
            "desk.contacts loaded: is loaded; only a pending batch can be rejected",
        ),
        (["reject", "desk.contacts", "aside"], 1, "desk.contacts aside: is rejected already: why not"),
        (["replay", "desk.contacts", "waiting"], 1, "desk.contacts waiting: pending already; `dbt build` loads it"),
    ],
    ids=["no such source", "no such batch", "loaded", "rejected already", "still pending"],
)
def test_a_decision_that_cannot_be_taken_says_why_and_changes_nothing(
    warehouse: Warehouse, status: Any, arguments: list[str], code: int, message: str
) -> None:
    warehouse.deliver(A, batch_id="loaded")
    warehouse.build()
    warehouse.deliver(A, batch_id="waiting")
    warehouse.deliver(B, batch_id="aside")
    status("reject", "desk.contacts", "aside", "--reason", "why not")
    ledger = warehouse.ledger("*")
    assert status(*arguments)[0] == code
    assert message in status(*arguments)[2]
    assert warehouse.ledger("*") == ledger


def test_the_target_may_stand_before_the_command_or_behind_it(warehouse: Warehouse, status: Any) -> None:
    warehouse.deliver(A, batch_id="b")
    assert status("--target", "test", "reject", "desk.contacts", "b")[0] == 0
    assert "no target 'nowhere'" in status("replay", "desk.contacts", "b", "--target", "nowhere")[2]
    assert "no target 'nowhere'" in status("--target", "nowhere", "replay", "desk.contacts", "b")[2]


def attempt(source_table: str, batch_id: str = "b") -> Attempt:
    return Attempt(source_table, batch_id, "run", "landed", None, None, 0, 0, EXTRACTED_AT, None, None)


PACKAGE = [attempt(f"desk.{name}") for name in ("items_raw", "items", "items__parts", "items__parts__files")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("desk.items", ["desk.items", "desk.items__parts", "desk.items__parts__files"]),
        ("desk.items__parts", ["desk.items", "desk.items__parts", "desk.items__parts__files"]),
        ("desk.items_raw", ["desk.items_raw"]),
        ("desk.plain", ["desk.plain"]),
        ("desk.plain__name", ["desk.plain__name"]),
    ],
    ids=["by its root", "by a child", "the raw delivery is itself", "a plain table", "a plain table with that name"],
)
def test_a_nested_batch_is_decided_with_its_whole_package(name: str, expected: list[str]) -> None:
    others = [attempt("desk.items", "another"), attempt("desk.plain"), attempt("desk.plainer")]
    others += [attempt("desk.plain__name", "c")]
    batch_id = "c" if name == "desk.plain__name" else "b"
    assert [one.source_table for one in package_of([*PACKAGE, *others], name, batch_id)] == expected


def test_a_package_is_rejected_and_replayed_as_one(warehouse: Warehouse, status: Any) -> None:
    warehouse.deliver(A, batch_id="job", source_table="desk.items")
    warehouse.deliver(B, batch_id="job", source_table="desk.items__parts")
    # A child without rows has no place.
    warehouse.deliver(batch_id="job", source_table="desk.items__files")
    warehouse.query(
        "update hotelmind_warehouse.etl_batches set location = null where source_table = 'desk.items__files'"
    )
    status("reject", "desk.items__parts", "job")
    assert {row[0] for row in warehouse.ledger("status")} == {"rejected"}
    code, output, _ = status("replay", "desk.items", "job")
    assert (code, output.count("landed again")) == (0, 3)
    again = warehouse.query(
        "select count(*), count(distinct pipeline_run_id) from hotelmind_warehouse.etl_batches where status = 'landed'"
    )
    assert again == [(3, 1)]


def test_a_delivery_that_was_gone_cannot_be_replayed(warehouse: Warehouse, status: Any) -> None:
    warehouse.deliver(batch_id="job", source_table="desk.items_raw")
    warehouse.query("update hotelmind_warehouse.etl_batches set status = 'rejected', location = null")
    code, _, errors = status("replay", "desk.items_raw", "job")
    assert code == 1
    assert "desk.items_raw job: nothing was stored for it; ask the source again" in errors


def test_status_waits_for_the_file_and_says_who_has_it(
    duckdb_warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    duckdb_warehouse.deliver(A)
    duckdb_warehouse.enter(monkeypatch)
    with duckdb_warehouse.locked():
        assert main([]) == 1
    assert "warehouse.duckdb: locked by another process for 1 s" in capsys.readouterr().err

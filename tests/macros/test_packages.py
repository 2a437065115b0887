"""The hook of a nested root model: raw batches to packages, and packages to bronze."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import pytest

from loaders.errors import SettingsError
from loaders.packages import read_options
from loaders.stage import open_stage
from loaders.status.decision import replay
from warehouse import Build, Warehouse, connected

ROOT, TAGS = "bronze.bronze_items", "bronze.bronze_items__tags"
DAY = date(2026, 1, 31)
LINES = list[Mapping[str, Any] | str]


def declare(
    warehouse: Warehouse,
    *,
    children: Sequence[str] = ("tags",),
    meta: Mapping[str, Any] | None = None,
    **options: Any,
) -> None:
    """The nested source desk.items, whose objects have an id, with its bronze models."""
    root = {"record_key": ["id"], "nested": {"root_key": ["id"], **options}, **(meta or {})}
    tables: list[dict[str, Any]] = [{"name": "items_raw"}, {"name": "items", "config": {"meta": root}}]
    tables += [{"name": f"items__{child}"} for child in children]
    warehouse.write("models/_contacts__sources.yml", json.dumps({"sources": [{"name": "desk", "tables": tables}]}))
    warehouse.remove("models/bronze_contacts.sql")
    warehouse.write(
        "models/bronze_items.sql",
        "{{ config(materialized='bronze_merge', schema='bronze', pre_hook=\"{{ normalize_nested('desk', 'items') }}\")"
        " }}\nselect * from {{ landed('desk', 'items') }}\n",
    )
    for child in children:
        warehouse.write(
            f"models/bronze_items__{child}.sql",
            "{{ config(materialized='batch_replace', schema='bronze') }}\n"
            f"select * from {{{{ landed('desk', 'items__{child}', parent='bronze_items') }}}}\n",
        )


def land(warehouse: Warehouse, lines: LINES, **batch: Any) -> None:
    """Land one raw delivery of desk.items; a text is a line as it stands."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    warehouse.deliver([{"line": text} for text in texts], columns=["line"], source_table="desk.items_raw", **batch)


def item(key: str, *tags: str, **fields: Any) -> dict[str, Any]:
    return {"id": key, "tags": list(tags), **fields}


def tags(warehouse: Warehouse) -> list[tuple[Any, ...]]:
    """Every tag with the item it is of."""
    return sorted(
        warehouse.query(
            f"select root.id, child.value from {warehouse.of(TAGS)} as child"
            f" inner join {warehouse.of(ROOT)} as root on root.row_id = child.root_row_id"
        )
    )


def statuses(warehouse: Warehouse) -> list[tuple[Any, ...]]:
    return sorted(warehouse.ledger("source_table", "batch_id", "status"))


def test_an_object_becomes_a_row_of_the_root_and_rows_of_its_children(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", "x", "y"), item("B"), "", item("C", "z")], batch_id="one")
    build = warehouse.build()
    assert warehouse.rows("record_key", "id", table=ROOT) == [("A", "A"), ("B", "B"), ("C", "C")]
    assert tags(warehouse) == [("A", "x"), ("A", "y"), ("C", "z")]
    assert statuses(warehouse) == [
        ("desk.items", "one", "loaded"), ("desk.items__tags", "one", "loaded"), ("desk.items_raw", "one", "loaded"),
    ]  # fmt: skip
    assert "desk.items_raw one: 3 objects in 2 tables" in "\n".join(build.log)
    (reason,) = warehouse.query(
        f"select reason from {warehouse.of('hotelmind_warehouse.etl_batches')} where source_table = 'desk.items_raw'"
    )
    assert reason == ("checks: 6 passed",)
    keys = warehouse.query(f"select record_key, row_id from {warehouse.of(TAGS)}")
    assert all(key == row_id for key, row_id in keys)


def test_a_child_goes_with_the_new_version_of_its_parent_and_nobody_elses_does(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", "x", "y"), item("B", "z")])
    warehouse.build()
    land(warehouse, [item("A", "x")])
    warehouse.build()
    assert tags(warehouse) == [("A", "x"), ("B", "z")]
    land(warehouse, [item("A")])
    warehouse.build()
    assert tags(warehouse) == [("B", "z")]
    assert [row[2] for row in statuses(warehouse)] == ["loaded"] * 9


def test_a_second_build_changes_nothing(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", "x"), item("B", "y")])
    warehouse.build()
    before = warehouse.whole(ROOT), warehouse.whole(TAGS), warehouse.whole_ledger()
    build = warehouse.build()
    assert (warehouse.whole(ROOT), warehouse.whole(TAGS), warehouse.whole_ledger()) == before
    assert {build.results[name] for name in ("bronze_items", "bronze_items__tags")} == {"nothing new"}


def test_a_delivery_without_objects_is_a_package_of_zero_rows(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", "x")])
    land(warehouse, [])
    land(warehouse, ["", " "])
    warehouse.build()
    assert tags(warehouse) == [("A", "x")]
    assert [row[2] for row in statuses(warehouse)] == ["loaded"] * 9
    located = warehouse.ledger("source_table", "batch_id", "location is null")
    assert sorted(row for row in located if row[2]) == [
        ("desk.items", "batch-2", True), ("desk.items", "batch-3", True),
        ("desk.items__tags", "batch-2", True), ("desk.items__tags", "batch-3", True),
    ]  # fmt: skip


AMBIGUOUS: LINES = [item("C", "z", **{"first-name": 1, "first_name": 2})]


def refused(warehouse: Warehouse) -> Build:
    """Three deliveries, of which the second is ambiguous."""
    land(warehouse, [item("A", "x")], batch_id="one")
    land(warehouse, AMBIGUOUS, batch_id="two")
    land(warehouse, [item("A")], batch_id="three")
    return warehouse.dbt("build")


def test_what_came_before_a_refused_delivery_loads_and_what_came_after_waits(warehouse: Warehouse) -> None:
    declare(warehouse)
    failure = refused(warehouse).failure()
    for part in ("desk.items_raw two", "first-name", "first_name", "`columns:`", "status reject desk.items_raw two"):
        assert part in failure
    assert tags(warehouse) == [("A", "x")]
    assert statuses(warehouse) == [
        ("desk.items", "one", "loaded"), ("desk.items__tags", "one", "loaded"), ("desk.items_raw", "one", "loaded"),
        ("desk.items_raw", "three", "landed"), ("desk.items_raw", "two", "landed"),
    ]  # fmt: skip
    (reason,) = [row[1] for row in warehouse.ledger("batch_id", "reason") if row[0] == "two"]
    assert "line 1" in reason
    assert "first-name" in reason


def test_a_refused_delivery_leaves_nothing_behind(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, AMBIGUOUS, batch_id="two")
    stage, ledger = warehouse.stage(), warehouse.ledger("source_table", "batch_id", "status", "loaded_at")
    build = warehouse.dbt("build")
    # No staged row, no ledger row, no child, no watermark, no word of success.
    assert warehouse.stage() == stage
    assert warehouse.ledger("source_table", "batch_id", "status", "loaded_at") == ledger
    assert warehouse.query(f"select * from {warehouse.of(TAGS)}") == []
    assert warehouse.query(f"select * from {warehouse.of('hotelmind_warehouse.etl_watermarks')}") == []
    assert not build.success
    assert not [line for line in build.log if "1 objects" in line]


def test_a_refused_delivery_loads_once_its_paths_have_names(warehouse: Warehouse) -> None:
    declare(warehouse)
    assert not refused(warehouse).success
    declare(warehouse, columns={"first-name": "given_name"})
    warehouse.build()
    assert warehouse.rows("record_key", "given_name", "first_name", table=ROOT) == [
        ("A", None, None), ("C", "1", "2"),
    ]  # fmt: skip
    assert tags(warehouse) == [("C", "z")]
    assert {row[2] for row in statuses(warehouse)} == {"loaded"}


def test_a_name_keeps_its_path_in_later_deliveries(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", **{"first-name": 1})])
    warehouse.build()
    land(warehouse, [item("B", first_name=2)])
    failure = warehouse.dbt("build").failure()
    assert "first_name" in failure
    assert "first-name" in failure
    assert warehouse.rows("record_key", table=ROOT) == [("A",)]


def test_nothing_is_made_of_a_delivery_under_empty(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", "x")])
    ledger = warehouse.ledger("source_table", "status")
    warehouse.build("--empty")
    assert warehouse.ledger("source_table", "status") == ledger
    assert warehouse.query(f"select * from {warehouse.of(ROOT)}") == []


def test_a_child_that_no_model_reads_is_told_and_is_no_error(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", "x", notes=[{"text": "n"}])])
    build = warehouse.build()
    assert "desk.items__notes: not declared" in "\n".join(build.log)
    assert ("desk.items__notes", "batch-1", "landed") in statuses(warehouse)


def test_a_child_waits_for_its_root(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", "x")])
    warehouse.build("--select", "bronze_items")
    land(warehouse, [item("A", "y")])
    # The package is made by the root's model alone.
    warehouse.build("--select", "bronze_items__tags")
    assert tags(warehouse) == [("A", "x")]
    warehouse.build("--threads", "8")
    assert tags(warehouse) == [("A", "y")]


def test_options_that_are_wrong_are_refused_before_anything_is_read(warehouse: Warehouse) -> None:
    declare(warehouse, keep_jsn=["a"], tables={"tags": "labels"})
    land(warehouse, [item("A", "x")])
    assert "desk.items: nested: keep_jsn is unknown" in warehouse.dbt("build").failure()
    declare(warehouse, tables={"tags": "labels"})
    assert "labels: the name of a child of items begins with items__" in warehouse.dbt("build").failure()
    assert statuses(warehouse) == [("desk.items_raw", "batch-1", "landed")]


def test_a_retry_loads_the_package_that_a_build_could_not(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", "x", name="n")])
    warehouse.build()
    warehouse.query(f"alter table {ROOT} alter column name set not null")
    land(warehouse, [item("A", "y")])
    assert not warehouse.dbt("build").success
    assert tags(warehouse) == [("A", "x")]
    warehouse.query(f"alter table {ROOT} alter column name drop not null")
    assert warehouse.dbt("retry").success
    assert tags(warehouse) == [("A", "y")]


def test_a_run_makes_packages_as_a_build_does(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", "x")])
    assert warehouse.dbt("run", "--threads", "8").success
    assert tags(warehouse) == [("A", "x")]


@pytest.mark.parametrize("root_key", [[], ["code"]])
def test_a_root_is_told_apart_by_the_key_of_its_table(warehouse: Warehouse, root_key: list[str]) -> None:
    declare(warehouse, root_key=root_key)
    land(warehouse, [item("A", "x", code="1")])
    assert "they have to be the same columns, and at least one" in warehouse.dbt("build").failure()
    assert statuses(warehouse) == [("desk.items_raw", "batch-1", "landed")]


def test_a_key_that_becomes_a_text_is_refused_for_its_children_would_stay(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [{"id": 1, "tags": ["x"]}])
    warehouse.build()
    land(warehouse, [{"id": "1", "tags": ["y"]}])
    assert "key '1' of record 1 was of another kind before" in warehouse.dbt("build").failure()
    assert tags(warehouse) == [("1", "x")]


def test_the_name_of_a_root_is_not_that_of_a_child() -> None:
    with pytest.raises(SettingsError, match="'items__archive' is the name of a child"):
        read_options("items__archive", {"root_key": ["id"]}, ["id"])


def test_a_schema_that_dbt_and_the_loaders_would_read_in_two_ways_is_refused(warehouse: Warehouse) -> None:
    assert "schema is 'Dev_Ann', expected a lower-case name" in warehouse.beside("Dev_Ann").dbt("build").failure()


def test_a_nested_root_with_a_cursor_is_refused(warehouse: Warehouse) -> None:
    declare(warehouse, meta={"cursor": "updated_at"})
    assert "a nested root has no cursor" in warehouse.dbt("build").failure()


def test_a_child_that_is_declared_later_does_not_have_what_is_gone_by_then(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, [item("A", "x", notes=[{"text": "n"}]), item("B", notes=[{"text": "m"}])])
    warehouse.build()
    land(warehouse, [item("A", "x")])
    warehouse.build()
    declare(warehouse, children=("tags", "notes"))
    warehouse.build()
    notes = warehouse.of("bronze.bronze_items__notes")
    assert warehouse.query(f"select text from {notes}") == [("m",)]


def test_a_child_whose_root_was_set_aside_is_set_aside_too(warehouse: Warehouse) -> None:
    declare(warehouse)
    for batch_id, tag in (("one", "x"), ("two", "y")):
        land(warehouse, [item("A", tag)], batch_id=batch_id, window_start=DAY, window_end=DAY)
    warehouse.build()
    stage = open_stage(warehouse.target)
    with stage.write_ledger() as ledger:
        replay(stage, ledger, "desk.items", "one")
    warehouse.build()
    assert "landed" not in {row[2] for row in statuses(warehouse)}
    assert tags(warehouse) == [("A", "y")]


def test_a_child_called_raw_is_part_of_its_package(warehouse: Warehouse) -> None:
    declare(warehouse, children=("raw",))
    land(warehouse, [{"id": "A", "raw": ["x"]}])
    warehouse.build()
    stage = open_stage(warehouse.target)
    with stage.write_ledger() as ledger:
        replayed = replay(stage, ledger, "desk.items__raw", "batch-1")
    assert [one.source_table for one in replayed] == ["desk.items", "desk.items__raw"]


def test_an_empty_build_reads_nothing_and_fails_over_nothing(warehouse: Warehouse) -> None:
    declare(warehouse)
    land(warehouse, AMBIGUOUS)
    assert not warehouse.dbt("build").success
    warehouse.build("--empty")


def test_a_stored_file_that_cannot_be_read_stops_only_what_is_behind_it(duckdb_warehouse: Warehouse) -> None:
    warehouse = duckdb_warehouse
    declare(warehouse)
    land(warehouse, [item("A", "x")], batch_id="one")
    land(warehouse, [item("A", "y")], batch_id="two")
    ((location,),) = [row[1:] for row in warehouse.ledger("batch_id", "location") if row[0] == "two"]
    path = warehouse.directory / location
    path.write_bytes(path.read_bytes()[:100])
    assert "restore it in the stage, or ask the source again" in warehouse.dbt("build").failure()
    assert tags(warehouse) == [("A", "x")]


def test_a_table_that_the_engine_refuses_stops_only_what_is_behind_it(postgres_warehouse: Warehouse) -> None:
    warehouse = postgres_warehouse
    declare(warehouse)
    land(warehouse, [item("A", "x")], batch_id="one")
    land(warehouse, [item("B", **{f"f{number}": "v" for number in range(1700)})], batch_id="two")
    assert "desk.items: tables can have at most 1600 columns" in warehouse.dbt("build").failure()
    assert tags(warehouse) == [("A", "x")]


def test_exact_numbers_and_kinds_arrive_in_bronze(warehouse: Warehouse) -> None:
    declare(warehouse, children=())
    land(warehouse, ['{"id": "A", "n": 9007199254740993, "d": 1.50, "t": "1", "b": true, "e": [], "o": {}, "z": null}'])
    warehouse.build()
    (row,) = warehouse.rows("n", "d", "t", "b", "e", "o", "z", table=ROOT)
    assert row == ("9007199254740993", "1.50", "1", "true", "[]", "{}", None)


def test_a_check_that_did_not_pass_says_so_in_the_ledger(warehouse: Warehouse) -> None:
    declare(warehouse, child_keys={"tags": ["tags[]"]}, duplicates="warn", orphans="skip")
    land(warehouse, [item("A", "x"), item("B", "y", "y")])
    warehouse.dbt("build")
    (reason,) = [row[1] for row in warehouse.ledger("source_table", "reason") if row[0] == "desk.items_raw"]
    assert reason.startswith(
        "checks: 4 passed, 1 warned, 1 not evaluated; duplicates of items__tags: warned (1 row ids"
    )
    assert "orphans of items__tags: not evaluated" in reason


# dbt that kills itself the moment Python is about to do what `event` names for the file that ends in `suffix`.
KILLED = """
import os, signal, sys

event, suffix, *arguments = sys.argv[1:]

def watch(name, found):
    if name == event and found and str(found[0]).endswith(suffix):
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(watch)
from dbt.cli.main import cli
cli(arguments)
"""
# In the middle of spilling, before publishing, and (where the stage is a folder) between publishing and finalizing.
MOMENTS = [("open", "manifest.json"), ("os.rename", ".generation"), ("open", "/stage")]


def build_apart(warehouse: Warehouse, event: str = "never", suffix: str = "") -> int:
    """`dbt build` in a process of its own; how it ended."""
    command = [sys.executable, "-c", KILLED, event, suffix, *warehouse.arguments("--quiet", "build")]
    return subprocess.run(command, cwd=warehouse.directory, check=False).returncode


def check_after_a_kill(warehouse: Warehouse, stage: dict[str, Any], ledger: list[tuple[Any, ...]]) -> None:
    """Nothing of the package is to be seen, all that was there is as it was, and the next build makes it once."""
    found = warehouse.stage()
    assert {name: found.get(name) for name in stage} == stage
    assert warehouse.whole_ledger() == ledger
    # A generation that came whole, but was never entered, is no batch: its raw delivery is still pending.
    assert open_stage(warehouse.target).adopt() == []
    warehouse.build()
    assert tags(warehouse) == [("A", "y"), ("B", "z")]
    assert [row[2] for row in statuses(warehouse)] == ["loaded"] * 6


# PostgreSQL's stage is no folder, and to finalize is its transaction: the next test.
@pytest.mark.parametrize(
    ("engine", "event", "suffix"),
    [("duckdb", *moment) for moment in MOMENTS] + [("postgres", *moment) for moment in MOMENTS[:2]],
)
def test_kill_9_in_the_hook_leaves_no_part_of_a_package(
    engine: str, event: str, suffix: str, request: pytest.FixtureRequest
) -> None:
    warehouse = request.getfixturevalue(f"{engine}_warehouse")
    declare(warehouse)
    land(warehouse, [item("A", "x"), item("B", "z")])
    # This process would keep DuckDB's file open.
    assert build_apart(warehouse) == 0
    land(warehouse, [item("A", "y")])
    stage, ledger = warehouse.stage(), warehouse.whole_ledger()
    assert build_apart(warehouse, event, suffix) == -signal.SIGKILL
    check_after_a_kill(warehouse, stage, ledger)


def test_kill_9_while_a_package_is_finalized_leaves_no_part_of_it(postgres_warehouse: Warehouse) -> None:
    warehouse = postgres_warehouse
    declare(warehouse)
    land(warehouse, [item("A", "x"), item("B", "z")])
    warehouse.build()
    land(warehouse, [item("A", "y")])
    stage, ledger = warehouse.stage(), warehouse.whole_ledger()
    # The second row of the package's two takes long to enter.
    warehouse.query(
        "create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(2); return new; end'"
    )
    batches = "hotelmind_warehouse.etl_batches"
    warehouse.query(
        f"create trigger wait before insert on {batches} for each row when (new.source_table = 'desk.items')"
        " execute function wait()"
    )
    command = [sys.executable, "-m", "dbt.cli.main", *warehouse.arguments("--quiet", "build")]
    with subprocess.Popen(command, cwd=warehouse.directory, stdout=subprocess.DEVNULL) as dbt:
        while not warehouse.query("select 1 from pg_stat_activity where wait_event = 'PgSleep'"):
            assert dbt.poll() is None
        dbt.kill()
    warehouse.query(f"drop trigger wait on {batches}")
    check_after_a_kill(warehouse, stage, ledger)


def test_two_builds_at_once_make_one_package(postgres_warehouse: Warehouse) -> None:
    warehouse = postgres_warehouse
    declare(warehouse)
    land(warehouse, [item("A", "x")])
    warehouse.build()
    land(warehouse, [item("A", "y", "z")], batch_id="two")
    command = [sys.executable, "-c", KILLED, "never", "", *warehouse.arguments("--quiet", "build")]
    with connected(str(warehouse.url)) as cursor:
        cursor.execute("begin; select 1 from hotelmind_warehouse.etl_batches where batch_id = 'two' for update")
        builds = [
            subprocess.Popen([*command, "--target-path", str(warehouse.directory / name)]) for name in ("one", "other")
        ]
        # Both have made the package, and wait for the raw batch that only one of them can claim.
        while warehouse.query("select count(*) from pg_locks where not granted and locktype <> 'relation'") != [(2,)]:
            assert [build.poll() for build in builds] == [None, None]
        cursor.execute("rollback")
    assert [build.wait() for build in builds] == [0, 0]
    assert [row[2] for row in statuses(warehouse)] == ["loaded"] * 6
    assert tags(warehouse) == [("A", "y"), ("A", "z")]

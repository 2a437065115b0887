"""Every row told apart and every child with its parent, judged before anything is published."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from loaders.nested import MemoryTable, NestedOptions, Package, RefusedError, Verdict, normalize, rebuild, spill
from loaders.nested.quality import judge

TWICE = [{"id": "a", "rooms": [{"no": "1", "bed": "x"}, {"no": "1", "bed": "y"}]}, {"id": "b", "rooms": [{"no": "1"}]}]


def keyed(**given: Any) -> NestedOptions:
    return NestedOptions("visits", root_key=["id"], child_keys={"rooms": ["rooms.no"]}, **given)


def verdict(checks: tuple[Verdict, ...], check: str, table: str | None) -> Verdict:
    (found,) = [one for one in checks if (one.check, one.table) == (check, table)]
    return found


def tampered(package: Package, table: str, column: str, values: list[Any]) -> Mapping[str, MemoryTable]:
    """The tables of a package, one column of one of them changed."""
    member = package.tables[table]
    place = member.data.schema.get_field_index(column)
    data = member.data.set_column(place, column, pa.array(values, member.data.schema.field(column).type))
    return {**package.tables, table: replace(member, data=data)}


def test_duplicate_child_keys_fail_in_memory_and_in_spill_alike(tmp_path: Path) -> None:
    message = "path rooms: 1 row ids of table 'visits__rooms' come more than once: its rows 1 and 2"
    with pytest.raises(RefusedError, match=message):
        normalize(TWICE, keyed())
    with pytest.raises(RefusedError, match=message):
        spill(TWICE, tmp_path, keyed())
    assert list(tmp_path.iterdir()) == []


def test_a_warning_is_published_and_is_no_pass(tmp_path: Path) -> None:
    generation = spill(TWICE, tmp_path, keyed(duplicates="warn", verify="all"))
    assert generation
    found = verdict(generation.checks, "duplicates", "visits__rooms")
    assert (found.verdict, found.count) == ("warned", 1)
    assert "its rows 1 and 2" in found.detail
    assert normalize(TWICE, keyed(duplicates="warn", verify="all")).checks == generation.checks
    manifest = json.loads((generation.directory / "manifest.json").read_text("utf-8"))
    assert {check["verdict"] for check in manifest["checks"]} == {"passed", "warned"}
    assert list(rebuild(generation)) == TWICE


def test_what_is_skipped_was_not_evaluated(tmp_path: Path) -> None:
    options = keyed(duplicates="skip", orphans="skip", verify="none")
    generation = spill(TWICE, tmp_path, options)
    assert generation
    assert normalize(TWICE, options).checks == generation.checks
    assert [(one.check, one.table, one.verdict) for one in generation.checks] == [
        ("row ids", "visits", "passed"),
        ("duplicates", "visits", "passed"),
        ("row ids", "visits__rooms", "passed"),
        ("duplicates", "visits__rooms", "not evaluated"),
        ("orphans", "visits__rooms", "not evaluated"),
        ("rebuild", None, "not evaluated"),
    ]


def test_without_a_key_a_row_id_that_comes_twice_is_found() -> None:
    options = NestedOptions("visits")
    package = normalize([{"rooms": [{"no": "1"}, {"no": "2"}]}], options)
    twice = [package.tables["visits__rooms"].rows()[0]["row_id"]] * 2
    with pytest.raises(RefusedError, match="1 row ids of table 'visits__rooms' come more than once"):
        judge(tampered(package, "visits__rooms", "row_id", twice), options)


@pytest.mark.parametrize("policy", ["fail", "warn", "skip"])
def test_a_missing_row_id_always_fails(policy: str) -> None:
    options = NestedOptions("visits", duplicates=policy, orphans=policy)
    package = normalize([{"rooms": [{"no": "1"}, {"no": "2"}]}], options)
    with pytest.raises(RefusedError, match="2 rows of table 'visits__rooms' have no row id"):
        judge(tampered(package, "visits__rooms", "row_id", [None, None]), options)


@pytest.mark.parametrize("column", ["parent_row_id", "root_row_id"])
@pytest.mark.parametrize("value", ["0" * 32, None, "another root"])
def test_a_child_whose_parent_is_not_under_its_root_is_an_orphan(column: str, value: str | None) -> None:
    objects = [{"rooms": [{"keys": ["k"]}]}, {"rooms": [{"keys": ["k"]}]}]
    package = normalize(objects, NestedOptions("visits"))
    for table in ("visits__rooms", "visits__rooms__keys"):
        ids = [row[column] for row in package.tables[table].rows()]
        tables = tampered(package, table, column, [ids[0], ids[0] if value == "another root" else value])
        with pytest.raises(RefusedError, match=f"1 rows of table '{table}' have no parent in .*: its rows 2"):
            judge(tables, NestedOptions("visits"))
        warned = judge(tables, NestedOptions("visits", orphans="warn"))
        assert verdict(warned, "orphans", table).verdict == "warned"
        skipped = judge(tables, NestedOptions("visits", orphans="skip"))
        assert verdict(skipped, "orphans", table).verdict == "not evaluated"


def test_everything_that_failed_is_said_at_once() -> None:
    objects = [{"id": "a", "rooms": ["1", "1"]}, {"id": "a"}]
    options = NestedOptions("visits", root_key=["id"], child_keys={"rooms": ["rooms[]"]})
    with pytest.raises(RefusedError, match=r"1 root keys come more than once.*; 1 row ids of table 'visits__rooms'"):
        normalize(objects, options)


def test_duplicates_far_apart_are_found_in_bounded_memory(tmp_path: Path) -> None:
    objects = ({"id": str(number % 99_999)} for number in range(100_000))
    with pytest.raises(RefusedError, match="1 root keys come more than once: records 1 and 100000"):
        spill(objects, tmp_path, NestedOptions("visits", root_key=["id"], verify="none"))

"""Tables give back their objects, or it is said that they do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from loaders.nested import NestedOptions, Package, RebuildError, Verdict, normalize, rebuild, spill
from loaders.nested.witness import Witness

OBJECTS = [{"id": "a", "rooms": [{"no": "1", "keys": ["k", "l"]}]}, {"id": "b", "rooms": [{"no": "2"}]}]


def package_of(*objects: dict[str, Any], **options: Any) -> Package:
    return normalize(objects, NestedOptions("visits", **options))


def tampered(package: Package, table: str, data: pa.Table) -> Package:
    member = package.tables[table]
    return replace(package, tables={**package.tables, table: replace(member, data=data)})


@pytest.mark.parametrize(
    ("value", "options"),
    [
        ({"a": {"value": 1}}, {}),
        ({"a": [{"value": 1}, {"value": None}]}, {}),
        ({"a": {"value": [1]}, "b": [[1], []]}, {}),
        ({"a": {"b": {"c": {"d": []}}}}, {"tables": {"a": "first", "a.b": "second", "a.b.c": "third"}}),
        ({"a": [1, {"value": 2}], "b": {"c": 1}}, {"columns": {"a[]": "element", "b.c": "other"}}),
        ({}, {}),
    ],
    ids=["one field called value", "in a list", "a list called value", "named tables", "named columns", "nothing"],
)
def test_what_is_easily_mistaken_comes_back(value: dict[str, Any], options: dict[str, Any]) -> None:
    assert list(rebuild(package_of(value, verify="all", **options))) == [value]


def test_objects_come_back_in_their_order_window_by_window(tmp_path: Path) -> None:
    objects = [{"n": n, "a": list(range(n % 4)), "b": {"c": [{"d": n}] * (n % 3)}} for n in range(1, 5_000)]
    generation = spill(objects, tmp_path, NestedOptions("visits", verify="all"))
    assert generation
    assert list(rebuild(generation)) == list(rebuild(package_of(*objects))) == objects


@pytest.mark.parametrize(("mode", "count"), [("all", 5_000), ("sample", 80)])
def test_a_sample_is_every_64th_object_and_each_that_showed_something_new(mode: str, count: int) -> None:
    objects = [{"n": number} if number != 4_321 else {"other": [1]} for number in range(5_000)]
    detail = f"{count} of 5000 objects rebuilt and compared"
    assert package_of(*objects, verify=mode).checks[-1] == Verdict("rebuild", "passed", None, count, detail)


def test_the_sample_of_a_long_source_stays_small() -> None:
    witness = Witness("sample")
    for number in range(1, 400_001):
        witness.look(number, "0" * 32, {}, is_lesson=number > 390_000)
    assert len(list(witness.entries())) < 1_000 + 4_000


def test_a_field_that_was_changed_is_found() -> None:
    package = package_of(*OBJECTS)
    witness = Witness("all")
    for number, value in enumerate(OBJECTS, 1):
        witness.look(number, "0" * 32, value, is_lesson=False)
    assert witness.compare(package.tables.values()).verdict == "passed"
    data = package.tables["visits__rooms"].data
    changed = tampered(package, "visits__rooms", data.set_column(4, "no", pa.array(["1", "3"])))
    with pytest.raises(RebuildError, match="record 2 does not come back from the tables as it was"):
        witness.compare(changed.tables.values())


@pytest.mark.parametrize("mode", ["all", "sample"])
def test_an_object_too_many_or_too_few_is_found(mode: str) -> None:
    package = package_of(*OBJECTS)
    for seen in (OBJECTS[:1], [*OBJECTS, {"id": "c"}]):
        witness = Witness(mode)
        for number, value in enumerate(seen, 1):
            root = package.tables["visits"].rows()[min(number, 2) - 1]["row_id"]
            witness.look(number, root, value, is_lesson=True)
        if mode == "all" or len(seen) > 2:
            with pytest.raises(RebuildError, match="does not come back"):
                witness.compare(package.tables.values())


@pytest.mark.parametrize(
    ("table", "column", "values", "message"),
    [
        ("visits__rooms__keys", "root_row_id", ["x", "y"], "rows of root x belong to no root, or stand out of order"),
        ("visits__rooms", "parent_row_id", ["x", "y"], "table 'visits': no row x, which is a parent"),
        ("visits__rooms__keys", "list_index", ["0", "2"], "has no element before 2"),
        ("visits__rooms__keys", "list_index", ["0", None], "has two values at path rooms.keys"),
        ("visits__rooms__keys", "json_kinds", ["number=value", None], "json_kinds 'number=value' do not fit a row"),
        ("visits__rooms__keys", "json_kinds", ["boolean=value", None], "do not fit a row: 'k'"),
        ("visits__rooms__keys", "json_kinds", ["decimal=value", None], "do not fit a row"),
        ("visits__rooms__keys", "json_kinds", ["null=other", None], "do not fit a row: 'other'"),
        ("visits__rooms__keys", "json_kinds", ["nonsense", None], "is no text of json_kinds"),
    ],
)
def test_tables_that_do_not_fit_together_are_refused(
    table: str, column: str, values: list[str | None], message: str
) -> None:
    package = package_of(*OBJECTS)
    data = package.tables[table].data
    data = data.set_column(data.schema.get_field_index(column), column, pa.array(values, pa.string()))
    with pytest.raises(RebuildError, match=message):
        list(rebuild(tampered(package, table, data)))


def test_a_row_that_is_gone_from_a_file_is_found(tmp_path: Path) -> None:
    generation = spill(OBJECTS, tmp_path, NestedOptions("visits"))
    assert generation
    file = generation.tables["visits__rooms"].file
    rows = pq.read_table(file)
    file.unlink()
    pq.write_table(rows.slice(1), file)
    with pytest.raises(RebuildError, match="table 'visits__rooms': no row"):
        list(rebuild(generation))


def test_a_source_of_more_shapes_than_are_remembered_comes_back(tmp_path: Path) -> None:
    def objects() -> Iterator[dict[str, Any]]:
        for number in range(36_000):
            yield {f"f{place}": ("x", number, None)[number // 3**place % 3] for place in range(8)}

    generation = spill(objects(), tmp_path, NestedOptions("visits", verify="all"))
    assert generation
    assert generation.checks[-1].count == 36_000
    assert generation.tables["visits"].facts.types["f7"] == "integer, text"

"""One name, one source path: in an object, across objects and chunks, and from run to run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loaders.nested import Binding, JsonLines, NestedOptions, RefusedError, Registry, normalize, rebuild, spill
from loaders.nested.path import parse_path, path_text

CASES = Path(__file__).parent / "cases"


def options(**given: Any) -> NestedOptions:
    return NestedOptions("visits", **given)


@pytest.mark.parametrize(
    ("value", "first", "second", "given"),
    [
        ({"line-items": [1], "line_items": [2]}, "line-items", "line_items", {}),
        ({"lineItems": [1], "LINEITEMS": [2]}, "lineItems", "LINEITEMS", {}),
        ({"_room": [1], "room": [2]}, "_room", "room", {}),
        ({"a": {"b": [1]}, "x": [2]}, "a.b", "x", {"tables": {"x": "visits__a__b"}}),
        ({"a": [1], "b": [2]}, r"\(the root\)", "b", {"tables": {"a": "stays"}, "root_table": "visits"}),
        ({"a": [[1]], "b": {"value": [2]}}, r"a\[\]", "b.value", {"tables": {"b.value": "visits__a__value"}}),
        ({"a": [[1], {"value": [2]}]}, r"a\[\]", "a.value", {}),
    ],
    ids=[
        "dash and underscore",
        "letter case",
        "leading underscore",
        "a map onto a generated name",
        "a map onto the root",
        "a map onto a list in a list",
        "a list in a list and a field called value",
    ],
)
def test_two_paths_of_one_table_are_refused_and_both_named(
    value: dict[str, Any], first: str, second: str, given: dict[str, Any]
) -> None:
    registry = None
    if first == r"\(the root\)":
        # The options refuse it themselves, so it is only met when the name was the root's in an earlier run.
        registry = Registry.from_bindings([Binding("visits__b", None, "")])
    chosen = NestedOptions(**{"root_table": "visits", **given})
    with pytest.raises(RefusedError, match=f"path {second}: would be table .* stands for path {first}; name one"):
        normalize([value], chosen, registry=registry)


@pytest.mark.parametrize(
    ("value", "first", "second"),
    [
        ({"line-items": 1, "line_items": 2}, "line-items", "line_items"),
        ({"lineItems": 1, "LINEITEMS": 2}, "lineItems", "LINEITEMS"),
        ({"_id": 1, "id": 2}, "_id", "id"),
        ({"a__b": 1, "a_b": 2}, "a__b", "a_b"),
        ({"x": [{"a-b": 1}, {"a b": None}]}, "x.a-b", "x.a b"),
        ({"x": [1, {"value": 2}]}, r"x\[\]", "x.value"),
        ({"items": [1], "Items": 1, "z": {}}, None, None),
        ({"x": [], "X": 1}, "x", "X"),
    ],
    ids=[
        "dash and underscore",
        "letter case",
        "leading underscore",
        "two underscores",
        "in a list",
        "an element and a field called value",
        "a table and a column may share a name",
        "an empty list is a column too",
    ],
)
def test_two_paths_of_one_column_are_refused_and_both_named(
    value: dict[str, Any], first: str | None, second: str | None
) -> None:
    if first is None:
        assert list(rebuild(normalize([value], options()))) == [value]
        return
    with pytest.raises(RefusedError, match=f"path {second}: would be column .* stands for path {first}; name one"):
        normalize([value], options())


def test_a_literal_double_underscore_does_not_meet_nesting() -> None:
    package = normalize([{"a__b": [1], "a": {"b": [2]}}], options())
    assert list(package.tables) == ["visits", "visits__a_b", "visits__a", "visits__a__b"]


@pytest.mark.parametrize("case", ["punctuation", "letter_case"])
def test_names_that_meet_are_refused_with_file_and_line(case: str, tmp_path: Path) -> None:
    line = 1 if case == "punctuation" else 2
    with pytest.raises(RefusedError, match=rf"{case}\.jsonl line {line}: path .*, which stands for path"):
        spill(JsonLines.of_file(CASES / f"{case}.jsonl"), tmp_path, options(root_key=["id"]))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("case", "tables"),
    [("punctuation", {"line-items": "visit_lines"}), ("letter_case", {"LINEITEMS": "visit_upper_lines"})],
)
def test_an_explicit_name_lets_them_through(case: str, tables: dict[str, str]) -> None:
    source = JsonLines.of_file(CASES / f"{case}.jsonl")
    package = normalize(source, options(root_key=["id"], tables=tables))
    assert list(rebuild(package)) == list(JsonLines.of_file(CASES / f"{case}.jsonl"))


def test_names_that_meet_far_apart_are_found_too(tmp_path: Path) -> None:
    def objects() -> Iterator[dict[str, Any]]:
        for number in range(70_000):
            yield {"roomNo": number} if number < 69_999 else {"ROOMNO": number}

    with pytest.raises(RefusedError, match=r"record 70000: path ROOMNO: .* stands for path roomNo"):
        spill(objects(), tmp_path, options())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("later", "message"),
    [
        ({"line_items": [1]}, "would be table 'visits__line_items', which stands for path line-items"),
        ({"ROOMNO": 1}, "would be column 'roomno' of table 'visits', which stands for path roomNo"),
    ],
)
def test_names_are_bound_for_every_later_run(later: dict[str, Any], message: str) -> None:
    first = normalize([{"line-items": [1], "roomNo": 1}], options())
    with pytest.raises(RefusedError, match=message):
        normalize([later], options(), registry=Registry.from_bindings(first.bindings))


def test_names_are_bound_by_what_the_ledger_keeps_of_columns() -> None:
    first = normalize([{"line-items": [{"a-b": {"c": 1}}], "roomNo": 1}], options())
    columns = [(name, table.facts.columns) for name, table in first.tables.items()]
    registry = Registry.from_columns([*columns, *columns])
    assert sorted(registry.bindings(), key=str) == sorted(first.bindings, key=str)
    for later in ({"line_items": [1]}, {"ROOMNO": 1}, {"line-items": [{"a_b": {"c": 1}}]}):
        with pytest.raises(RefusedError, match="which stands for path"):
            normalize([later], options(), registry=registry)


def test_a_name_in_another_case_is_the_same_name() -> None:
    registry = Registry.from_bindings([Binding("VISITS", "ROOM", "room-no")])
    with pytest.raises(RefusedError, match=r"path room: would be column 'room' of table 'visits'.* path room-no"):
        normalize([{"room": 1}], options(), registry=registry)


def test_the_registry_that_was_given_is_not_changed() -> None:
    registry = Registry()
    normalize([{"room": 1}], options(), registry=registry)
    assert registry.bindings() == []


def test_a_table_has_every_column_it_ever_had() -> None:
    first = normalize([{"room": 1, "tags": [{"a": 1}]}], options())
    second = normalize([{"floor": 2, "tags": [{"b": 1}]}], options(), registry=first.registry)
    assert list(second.tables["visits"].facts.columns) == ["row_id", "room", "floor", "json_kinds"]
    assert second.tables["visits"].data.column("room").null_count == 1
    assert {"a", "b"} <= second.tables["visits__tags"].facts.columns.keys()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"größe": 1}, "path größe: 'größe' is not ASCII and makes no name; name it under `columns:`"),
        ({"größe": [1]}, "path größe: 'größe' is not ASCII and makes no name; name it under `tables:`"),
        ({"x": {"\u212a": 1}}, "is not ASCII"),
        ({"": 1}, "path \"\": '' leaves no name; name it under `columns:`"),
        ({"x": {"--": [1]}}, "path x.--: '--' leaves no name; name it under `tables:`"),
        ({"a" * 64: 1}, "has 64 characters, 63 is the limit; name it under `columns:`"),
        ({"a" * 56: [1]}, "has 64 characters, 63 is the limit; name it, or a table above it, under `tables:`"),
    ],
    ids=["column", "table", "folds to a letter", "no key", "nothing left", "long column", "long table"],
)
def test_a_key_that_makes_no_name_is_refused(value: dict[str, Any], message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        normalize([value], options())


def test_an_explicit_name_for_a_key_that_makes_none_lets_it_through() -> None:
    value = {"größe": 1, "": [1], "x": {"a.b": {"c": 1}}}
    names = options(columns={"größe": "size_m2"}, tables={'""': "visits__nothing", 'x."a.b"': "visits__dotted"})
    package = normalize([value], names)
    assert list(rebuild(package)) == [value]
    assert list(package.tables) == ["visits", "visits__nothing", "visits__x", "visits__dotted"]


@pytest.mark.parametrize("name", ["row_id", "Parent-Row-Id", "json_kinds", "record_number", "RECORD_HASH", "batch_id"])
@pytest.mark.parametrize(
    "nest",
    [lambda key: {key: 1}, lambda key: {"x": {"y": {key: 1}}}, lambda key: {"x": [[[{key: None}]]]}],
    ids=["root", "deep", "lists in lists"],
)
def test_a_field_with_a_name_that_loads_set_is_refused_at_any_depth(name: str, nest: Any) -> None:
    with pytest.raises(RefusedError, match=f"{name}: .* is a column that every load sets itself; name it under"):
        normalize([nest(name)], options())


def test_a_reserved_word_gets_the_same_name_as_in_reports() -> None:
    package = normalize([{"order": 1, "1st": 2}], options())
    assert list(package.tables["visits"].facts.columns) == ["row_id", "order_", "_1st", "json_kinds"]


def test_a_named_table_gives_its_children_names_and_forces_none_on_them() -> None:
    value = {"items": [{"content": {"to": ["x"]}}]}
    package = normalize([value], options(tables={"items": "visit_items"}))
    assert list(package.tables) == ["visits", "visit_items", "visit_items__content", "visit_items__content__to"]
    assert list(rebuild(package)) == [value]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("items", "content", "to"), "items.content.to"),
        (("topics", None), "topics[]"),
        (("a", None, None, "b"), "a[][].b"),
        (("a.b", 'c"d', "e[]", "f\\"), r'"a.b"."c\"d"."e[]"."f\\"'),
        (("", "a\nb", "ä b"), r'""."a\nb".ä b'),
    ],
)
def test_a_path_is_read_as_it_was_written(path: tuple[str | None, ...], text: str) -> None:
    assert path_text(path) == text
    assert parse_path(text) == path


@pytest.mark.parametrize("text", ["", ".", "a.", ".a", "a..b", "[]", "[].a", "a[0]", '"a"', "a.[]", "a[]b", "a\nb"])
def test_another_spelling_of_a_path_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a path such as"):
        parse_path(text)

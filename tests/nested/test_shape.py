"""What rows an object becomes, and that each difference in it can still be seen in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from loaders.nested import JsonLines, NestedOptions, Number, Package, RefusedError, normalize, rebuild
from loaders.nested.kinds import kinds_text, parse_kinds

CASES = Path(__file__).parent / "cases"


def package_of(*objects: Mapping[str, Any], **options: Any) -> Package:
    return normalize(objects, NestedOptions("visits", verify="all", **options))


def values(package: Package, table: str) -> list[dict[str, Any]]:
    """The rows without ids and numbers."""
    left_out = {"row_id", "parent_row_id", "root_row_id", "record_number"}
    return [
        {name: value for name, value in row.items() if name not in left_out} for row in package.tables[table].rows()
    ]


def test_an_object_gives_one_root_row_and_its_nested_values_give_child_rows() -> None:
    package = package_of({"id": "a", "guest": {"name": "Zoë"}, "rooms": [{"no": "1"}, {"no": "2"}]}, {"id": "b"})
    assert {name: table.facts.row_count for name, table in package.tables.items()} == {
        "visits": 2,
        "visits__guest": 1,
        "visits__rooms": 2,
    }


def test_a_mapping_has_no_index_mappings_in_a_list_have_one_and_scalars_have_a_value_column() -> None:
    package = package_of({"guest": {"name": "Zoë"}, "rooms": [{"no": "1"}, {"no": "2"}], "tags": ["x", "y"]})
    assert values(package, "visits__guest") == [{"list_index": None, "name": "Zoë", "json_kinds": None}]
    assert [(row["list_index"], row["no"]) for row in values(package, "visits__rooms")] == [("0", "1"), ("1", "2")]
    assert [(row["list_index"], row["value"]) for row in values(package, "visits__tags")] == [("0", "x"), ("1", "y")]


@pytest.mark.parametrize("keep_json", [(), ("tags", "meta")], ids=["tables", "kept as JSON"])
def test_an_empty_list_or_mapping_stays_on_the_parent_as_itself(keep_json: tuple[str, ...]) -> None:
    package = package_of({"tags": [], "meta": {}}, keep_json=keep_json)
    assert list(package.tables) == ["visits"]
    assert values(package, "visits") == [{"tags": "[]", "meta": "{}", "json_kinds": "list=tags;object=meta"}]


def test_missing_null_empty_list_and_empty_mapping_are_four_things() -> None:
    package = normalize(JsonLines.of_file(CASES / "empty_states.jsonl"), NestedOptions("visits", root_key=["id"]))
    assert list(rebuild(package)) == list(JsonLines.of_file(CASES / "empty_states.jsonl"))
    states = [(row["tags"], row["json_kinds"]) for row in values(package, "visits")]
    assert states == [("[]", "list=tags;object=meta"), (None, "null=meta,tags"), (None, None), (None, None)]
    assert package.tables["visits__tags"].facts.row_count == package.tables["visits__meta"].facts.row_count == 1


def test_one_path_with_an_object_a_list_and_a_text_comes_back_as_it_was() -> None:
    package = normalize(JsonLines.of_file(CASES / "mixed_types.jsonl"), NestedOptions("visits", root_key=["id"]))
    assert list(rebuild(package)) == list(JsonLines.of_file(CASES / "mixed_types.jsonl"))


@pytest.mark.parametrize(
    ("value", "text", "kinds"),
    [
        ("1", "1", None),
        (1, "1", "number=x"),
        (1.0, "1.0", "number=x"),
        (Number("1.50"), "1.50", "number=x"),
        (2**53 + 1, "9007199254740993", "number=x"),
        (10**30, "1" + "0" * 30, "number=x"),
        ("true", "true", None),
        (True, "true", "boolean=x"),
        ("", "", None),
        (None, None, "null=x"),
        ("null", "null", None),
        ("[]", "[]", None),
        ([], "[]", "list=x"),
        ({}, "{}", "object=x"),
    ],
    ids=repr,
)
def test_text_and_kind_together_tell_every_value_from_its_look_alikes(value: Any, text: Any, kinds: Any) -> None:
    assert values(package_of({"x": value}), "visits") == [{"x": text, "json_kinds": kinds}]


def test_every_type_may_stand_in_one_list() -> None:
    elements = [1, "1", True, None, "", [], {}, {"no": 1}, [2, [3, []]], 0.5]
    package = package_of({"mixed": elements})
    assert list(rebuild(package)) == [{"mixed": elements}]


def test_lists_in_lists_are_tables_of_their_own() -> None:
    package = package_of({"grid": [["a", "b"], ["c"]]})
    assert list(package.tables) == ["visits", "visits__grid", "visits__grid__value"]
    assert [row["value"] for row in values(package, "visits__grid__value")] == ["a", "b", "c"]


def test_a_kept_path_stays_one_text_of_json_with_its_numbers_and_a_plain_text_there_stays_plain() -> None:
    objects = [{"content": {"z": Number("1.50"), "a": [1]}}, {"content": "1.50"}, {"content": [{"b": None}]}]
    package = package_of(*objects, keep_json=["content"])
    assert list(package.tables) == ["visits"]
    assert [(row["content"], row["json_kinds"]) for row in values(package, "visits")] == [
        ('{"z":1.50,"a":[1]}', "json=content"),
        ("1.50", None),
        ('[{"b":null}]', "json=content"),
    ]
    assert list(rebuild(package)) == objects


def test_the_elements_of_a_list_may_be_kept_one_by_one() -> None:
    objects = [{"files": [{"url": "u"}, ["x"], "y", {}]}]
    package = package_of(*objects, keep_json=["files[]"])
    assert [row["value"] for row in values(package, "visits__files")] == ['{"url":"u"}', '["x"]', "y", "{}"]
    assert list(rebuild(package)) == objects


def test_a_value_deeper_than_the_limit_refuses_and_an_empty_one_there_does_not() -> None:
    assert package_of({"a": {"b": {"c": {}, "d": []}}}, max_depth=2).record_count == 1
    with pytest.raises(RefusedError, match=r"record 1: path a.b.c: lies 3 tables deep, max_depth is 2"):
        package_of({"a": {"b": {"c": {"d": 1}}}}, max_depth=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_array_length": 3}, "record 2: path tags: is a list of 4, max_array_length is 3"),
        ({"max_child_tables": 1}, "record 2: path guest: would be child table 2, max_child_tables is 1"),
        ({"max_rows": 5}, "record 2: makes 6 rows, max_rows is 5"),
    ],
    ids=["elements of a list", "child tables", "rows of one root"],
)
def test_guards_refuse_and_name_the_record(options: dict[str, int], message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        package_of({"tags": ["a", "b", "c"]}, {"tags": ["a"] * 4, "guest": {"name": "x"}}, **options)


def test_the_length_guard_counts_lists_in_lists_too() -> None:
    with pytest.raises(RefusedError, match=r"path grid\[\]: is a list of 4"):
        package_of({"grid": [["a"] * 4]}, max_array_length=3)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"x": (1, 2)}, "path x: has type tuple"),
        ({"x": {1, 2}}, "path x: has type set"),
        ({"x": [object()]}, r"path x\[\]: has type object"),
        ({"x": {1: "a"}}, "path x: has the key 1 of type int"),
        ({"x": float("nan")}, "path x: NaN and Infinity are no JSON numbers"),
        ({"x": [1.5, float("-inf")]}, r"path x\[\]: NaN and Infinity"),
        ({"x": {"y": "a\0b"}}, r"path x.y: holds U\+0000"),
        ({"x": "\ud800"}, "path x: holds a lone surrogate"),
        ({"x": {"a\0": 1}}, r'path x\."a\\u0000": is a key that no warehouse keeps'),
        ({"\ud800": 1}, r'path "\\ud800": is a key that no warehouse keeps'),
        (["x"], "is a list, expected an object"),
    ],
    # By the message: the value of an object() is another in every process.
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_json_has_not_is_refused_with_path_and_record(value: Any, message: str) -> None:
    with pytest.raises(RefusedError, match=f"record 2: {message}"):
        package_of({}, value, {})


def test_keys_that_hash_alike_are_never_one() -> None:
    with pytest.raises(RefusedError, match="record 2: path x: has the key 1 of type int"):
        package_of({"x": {"1": "a"}}, {"x": {1: "a"}})
    with pytest.raises(RefusedError, match="path x: has the key True of type bool"):
        package_of({"x": {True: "a"}})


def test_kinds_have_one_spelling_and_are_read_back() -> None:
    text = kinds_text({"b": "number", "a": "number", "c": "null", "d": ""})
    assert text == "null=c;number=a,b"
    assert dict(parse_kinds("null=c;number=a,b")) == {"a": "number", "b": "number", "c": "null"}
    assert kinds_text({"a": ""}) is None


@pytest.mark.parametrize("text", ["", "number=b,a", "number=a;null=b", "colour=a", "number"])
def test_another_spelling_of_kinds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no text of json_kinds"):
        parse_kinds(text)


def test_the_vendors_conversation_items_come_back_as_they_were() -> None:
    options = NestedOptions.read(
        {
            "root_table": "conversation_items",
            "root_key": ["id"],
            "tables": {"content.messageData.quickReplyRequest": "conversation_items__quick_reply_requests"},
            "verify": "all",
        }
    )
    package = normalize(JsonLines.of_file(CASES / "conversation_items.jsonl"), options)
    assert list(rebuild(package)) == list(JsonLines.of_file(CASES / "conversation_items.jsonl"))
    assert "conversation_items__quick_reply_requests__options" in package.tables

"""Every option is checked, and all that is wrong is said at once."""

from __future__ import annotations

from typing import Any

import pytest

from loaders.errors import SettingsError
from loaders.nested import NestedOptions


def read(**settings: Any) -> NestedOptions:
    return NestedOptions.read({"root_table": "visits", **settings})


def test_options_are_read_from_a_mapping() -> None:
    options = read(root_key=["id"], child_keys={"rooms": ["rooms.no"]}, keep_json=["note"], verify="all", max_depth=3)
    assert options == NestedOptions(
        "visits", ["id"], {"rooms": ["rooms.no"]}, keep_json=["note"], verify="all", max_depth=3
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"duplicate": "fail"}, "duplicate is unknown, expected: child_keys, columns, duplicates, "),
        ({"duplicates": "ignore"}, "duplicates: is 'ignore', expected one of: fail, warn, skip"),
        ({"orphans": None}, "orphans: is None, expected one of: fail, warn, skip"),
        ({"verify": True}, "verify: is True, expected one of: all, sample, none"),
        ({"max_depth": 0}, "max_depth: is 0, expected a whole number from 1 to 64"),
        ({"max_depth": 65}, "max_depth: is 65, expected a whole number from 1 to 64"),
        ({"max_rows": True}, "max_rows: is True, expected a whole number from 1"),
        ({"max_array_length": "9"}, "max_array_length: is '9', expected a whole number from 1"),
        ({"root_table": "../x"}, "root_table: '../x' is not a lower-case name"),
        ({"root_table": "Visits"}, "root_table: 'Visits' is not a lower-case name"),
        ({"root_table": "v" * 64}, "root_table: 'v+' has 64 characters, 63 is the limit"),
        ({"root_table": None}, "root_table: None is not a lower-case name"),
        ({"root_key": "id"}, "root_key: is 'id', expected a list of paths"),
        ({"root_key": ["a.b"]}, r"root_key: a\.b lies below the root"),
        ({"root_key": ["a", "a"]}, r"root_key: \['a', 'a'\] names a path twice"),
        ({"root_key": [1]}, "root_key: 1 is no text"),
        ({"tables": ["a"]}, r"tables: is \['a'\], expected names by path"),
        ({"tables": {"a..b": "x"}}, "tables: 'a..b' is not a path such as items.content"),
        ({"tables": {"a": "x/y"}}, "tables: a: 'x/y' is not a lower-case name"),
        ({"tables": {"a": "x; drop table y"}}, "tables: a: 'x; drop table y' is not a lower-case name"),
        ({"tables": {"a": "."}}, "tables: a: '.' is not a lower-case name"),
        ({"tables": {"a": "x", "b": "x"}}, "tables: a and b both become 'x'"),
        ({"tables": {"a": "visits"}}, "tables: the root and a both become 'visits'"),
        ({"columns": {"a": "row_id"}}, "columns: a: 'row_id' is a column that every load sets itself"),
        ({"columns": {"a": "order"}}, "columns: a: 'order' is a word that engines keep for themselves"),
        ({"columns": {"a.x": "z", "a.y": "z"}}, "columns: a.x and a.y both become 'z'"),
        ({"child_keys": ["a"]}, r"child_keys: is \['a'\], expected paths of tables"),
        ({"child_keys": {"a": []}}, "child_keys: a: is empty, expected a list of paths"),
        ({"child_keys": {"a": "a.id"}}, "child_keys: a: is 'a.id', expected a list of paths"),
        ({"child_keys": {"a": ["b.id"]}}, r"child_keys: a: b\.id is no field of the table"),
        ({"child_keys": {"a": ["a.b.id"]}}, "is no field of the table, of a table above it, or of the root"),
        ({"keep_json": "a"}, "keep_json: is 'a', expected a list of paths"),
        ({"keep_json": ["a"], "tables": {"a": "x"}}, "tables: a is part of a, which keep_json keeps whole"),
        ({"keep_json": ["a"], "child_keys": {"a.b": ["id"]}}, "child_keys: a.b is part of a, which keep_json keeps"),
        ({"keep_json": ["a", "a.b"]}, "keep_json: a.b is part of a, which keep_json keeps whole"),
        ({"keep_json": ["a"], "columns": {"a.b": "x"}}, "columns: a.b is part of a, which keep_json keeps whole"),
    ],
    ids=str,
)
def test_an_option_that_cannot_be_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        read(**settings)


def test_everything_wrong_is_said_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        read(colour=1, duplicates="no", max_rows=-1, tables={"a": "A", "..": "x"}, root_key=3)
    text = str(caught.value)
    assert text.count("; ") == 5
    for part in ("colour is unknown", "root_key: is 3", "tables: a: 'A'", "tables: '..'", "duplicates:", "max_rows:"):
        assert part in text


def test_options_made_in_python_are_checked_as_well() -> None:
    with pytest.raises(SettingsError, match="verify: is 'most', expected one of"):
        NestedOptions("visits", verify="most")


def test_names_may_be_the_same_where_they_cannot_meet() -> None:
    assert read(columns={"a.x": "z", "b.x": "z"}, keep_json=["c"], tables={"a": "c"})
    assert read(columns={"c": "c_json"}, keep_json=["c"])

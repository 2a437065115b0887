"""Whole JSON lists: text as it came, or a refusal."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders.errors import SourceError
from loaders.gladly.json_list import JsonList, read_list


def read(text: str, required: tuple[str, ...] = ("id",), **columns: str) -> JsonList:
    return read_list(io.BytesIO(text.encode()), subject="gladly.topics", columns=columns, required=required)


def test_every_kind_of_value_becomes_text() -> None:
    found = read(
        '[{"id":"a","n":9007199254740993,"d":1.50,"e":1e5,"t":true,"f":false,"z":null,"s":"","l":[1.0,"x",{"k":null}]},'
        '{"id":"b"}]'
    )
    assert found.batch().to_pylist() == [
        {"id": "a", "n": "9007199254740993", "d": "1.50", "e": "1e5", "t": "true", "f": "false", "z": None, "s": "",
         "l": '[1.0,"x",{"k":null}]'},
        {"id": "b", "n": None, "d": None, "e": None, "t": None, "f": None, "z": None, "s": None, "l": None},
    ]  # fmt: skip


def test_a_column_is_named_by_its_key_or_by_the_mapping() -> None:
    assert read('[{"id":"a","parentId":"b"}]', parentId="parent_id").columns == {"id": "id", "parent_id": "parentId"}
    assert read('[{"id":"a","parentId":"b"}]').columns == {"id": "id", "parentid": "parentId"}


def test_an_empty_list_has_no_columns() -> None:
    assert read("[]").columns == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"errors":[]}', "not a list of objects but"),
        ('["a"]', "not a list of objects but"),
        ('[{"id":"a"', "not JSON"),
        ("", "not JSON"),
        ('[{"id":NaN}]', "NaN is no JSON number"),
        ('[{"id":"a","id":"b"}]', "one key twice in an object: id, id"),
        ('[{"name":"a"}]', "no column id; there are name"),
        ('[{"id":"a","Id":"b"}]', "headers 'id' and 'Id' both become column 'id'"),
        ('[{"id":"a\\u0000"}]', "holds a character that no warehouse can keep"),
        ('[{"id":"a\\ud800"}]', "holds a character that no warehouse can keep"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_flat_list_is_refused(text: str, expected: str) -> None:
    with pytest.raises(SourceError, match=expected):
        read(text)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(st.lists(st.dictionaries(st.sampled_from(["a", "b", "c"]), st.none() | TEXT, min_size=1)))
def test_text_and_null_are_read_back_as_they_were_written(records: list[dict[str, str | None]]) -> None:
    found = read(json.dumps(records), required=())
    assert found.batch().to_pylist() == [{key: one.get(key) for key in found.columns} for one in records]

"""Any JSON objects come back as they were, from memory and from files, or a refusal names a path."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loaders.nested import JsonLines, NestedOptions, RefusedError, normalize, rebuild, spill
from loaders.nested.json_text import write_json

KEYS = (
    st.sampled_from("id ID a a-b a_b A value Value row_id list_index order 1a größe".split())
    | st.sampled_from(["", "a.b", "a[]", '"a"', "a b", "__", "json_kinds", "\\", "Ωmega", "x" * 70])
    | st.text("abcxyz_- .", min_size=1, max_size=5)
    | st.text(max_size=3)
)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(max_size=8) | st.sampled_from(["[]", "{}", "null", "1", "true"])
PLAIN_KEYS = st.sampled_from(["a", "b", "c", "value", "to"])


def objects(keys: st.SearchStrategy[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    values = st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=12,
    )
    return st.lists(st.dictionaries(keys, values, max_size=4), min_size=1, max_size=4)


def same(one: Any, other: Any) -> bool:
    """Equal in every value and type; keys may stand in another order."""
    return [write_json(value, sort_keys=True) for value in one] == [
        write_json(value, sort_keys=True) for value in other
    ]


def refusal(value: list[dict[str, Any]]) -> RefusedError | None:
    """What refuses the objects; None where they came back as they were."""
    try:
        package = normalize(value, CHECKS_OFF)
    except RefusedError as error:
        return error
    assert same(rebuild(package), value)
    return None


CHECKS_OFF = NestedOptions("r", duplicates="skip", orphans="skip", verify="none", keep_json=["to"])
FAST = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(value=objects(PLAIN_KEYS))
@settings(FAST, max_examples=800)
def test_objects_with_plain_keys_come_back_from_memory(value: list[dict[str, Any]]) -> None:
    error = refusal(value)
    # A field called value meets the elements of its list; U+0000 and lone surrogates are no text.
    assert error is None or "'value'" in error.problem or "__value'" in error.problem or "holds" in error.problem


@given(value=objects(KEYS))
@settings(FAST, max_examples=900)
def test_objects_with_any_keys_come_back_from_memory_or_a_path_is_named(value: list[dict[str, Any]]) -> None:
    error = refusal(value)
    assert error is None or (error.path and error.where.startswith("record "))


@given(value=objects(PLAIN_KEYS | KEYS), spaces=st.booleans(), file_format=st.sampled_from(["parquet", "jsonl"]))
@settings(FAST, max_examples=300)
def test_lines_come_back_from_files_as_from_memory(value: list[dict[str, Any]], spaces: bool, file_format: str) -> None:
    separators = (", ", ": ") if spaces else (",", ":")
    lines = [json.dumps(one, ensure_ascii=spaces, separators=separators) for one in value]
    options = NestedOptions("r", verify="all")
    try:
        package = normalize(JsonLines(enumerate(lines, 1), name="x"), options)
    except RefusedError as refused:
        with TemporaryDirectory() as name, pytest.raises(RefusedError, match=re.escape(str(refused))):
            spill(JsonLines(enumerate(lines, 1), name="x"), Path(name), options, file_format=file_format)
        return
    with TemporaryDirectory() as name:
        source = JsonLines(enumerate(lines, 1), name="x")
        generation = spill(source, Path(name), options, file_format=file_format)
        assert generation
        assert [file.facts for file in generation.tables.values()] == [one.facts for one in package.tables.values()]
        for table, file in zip(package.tables.values(), generation.tables.values(), strict=True):
            assert [row for batch in file.batches() for row in batch.to_pylist()] == table.rows()
        assert (generation.checks, generation.bindings) == (package.checks, package.bindings)
        assert same(rebuild(generation), JsonLines(enumerate(lines, 1), name="x"))

"""TSV and JSON lines of the same rows, and what TSV cannot hold."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from loaders.nested import Generation, NestedOptions, Number, RefusedError, normalize, open_generation, rebuild, spill


def published(directory: Path, *objects: Any, file_format: str, **options: Any) -> Generation:
    given = NestedOptions("visits", verify="all", **options)
    generation = spill(objects, directory, given, file_format=file_format)
    assert generation
    return generation


def types(generation: Generation, table: str) -> dict[str, str]:
    """The types of the value columns, as the sidecar tells them."""
    sidecar = json.loads(generation.tables[table].sidecar.read_text("utf-8"))
    technical = {"row_id", "parent_row_id", "root_row_id", "list_index", "json_kinds"}
    return {one["name"]: one["type"] for one in sidecar["columns"] if one["name"] not in technical}


@pytest.mark.parametrize("file_format", ["parquet", "jsonl", "tsv"])
def test_every_format_gives_the_same_rows_and_the_same_objects(file_format: str, tmp_path: Path) -> None:
    objects = [{"a": "x", "b": [1, 2]}, {"a": "", "b": []}, {"a": None}, {}, {"a": r"\n é '\"", "b": [Number("1.50")]}]
    generation = published(tmp_path, *objects, file_format=file_format)
    assert open_generation(generation.directory) == generation
    assert list(rebuild(generation)) == objects
    for name, table in normalize(objects, NestedOptions("visits")).tables.items():
        file = generation.tables[name]
        assert file.file.suffix == f".{file_format}"
        assert [row for batch in file.batches() for row in batch.to_pylist()] == table.rows()
    assert not [path for path in generation.directory.iterdir() if path.suffix not in {f".{file_format}", ".json"}]


def test_tsv_has_one_header_of_the_final_columns_and_tells_null_from_empty(tmp_path: Path) -> None:
    generation = published(tmp_path, {"a": "x"}, {"b": ""}, {"a": None, "c": 1}, file_format="tsv")
    lines = [line.split("\t") for line in generation.tables["visits"].file.read_text("utf-8").splitlines()]
    assert [line[1:] for line in lines] == [
        ["a", "b", "c", "json_kinds", "record_number"],
        ["x", r"\N", r"\N", r"\N", "1"],
        [r"\N", "", r"\N", r"\N", "2"],
        [r"\N", r"\N", "1", "null=a;number=c", "3"],
    ]


def test_every_table_has_a_sidecar_with_the_types_and_paths_of_its_columns(tmp_path: Path) -> None:
    value = {"text": "x", "whole": 1, "part": 0.5, "yes": True, "none": None, "empty": [], "bytes": b"\xff"}
    value |= {"day": date(2026, 1, 2), "in-list": [{"n": 1}, {"n": 1.5}], "kept": {"a": 1}}
    generation = published(tmp_path, value, file_format="tsv", keep_json=["kept"])
    assert types(generation, "visits") == {
        "text": "text",
        "whole": "integer",
        "part": "number",
        "yes": "boolean",
        "none": "null",
        "empty": "json",
        "bytes": "bytes",
        "day": "date",
        "kept": "json",
    }
    assert types(generation, "visits__in_list") == {"n": "number"}
    sidecar = json.loads(generation.tables["visits__in_list"].sidecar.read_text("utf-8"))
    assert (sidecar["path"], sidecar["parent"]) == ("in-list", "visits")
    assert {"name": "n", "source": "in-list.n", "type": "number"} in sidecar["columns"]


def test_bytes_are_hex(tmp_path: Path) -> None:
    generation = published(tmp_path, {"a": b"\x00\xff"}, file_format="tsv")
    assert "\t00ff\tbytes=a\t" in generation.tables["visits"].file.read_text("utf-8")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a\tb", "path rooms.a: row 2 of table 'visits__rooms' holds a tab"),
        ("a\nb", "path rooms.a: row 2 of table 'visits__rooms' holds a newline"),
        ("a\r", "path rooms.a: row 2 of table 'visits__rooms' holds a carriage return"),
        (r"\N", "path rooms.a: row 2 of table 'visits__rooms' holds the text that is NULL in TSV"),
        (1, r"path rooms: TSV has one type a column, but path rooms\.a is integer, text"),
        (b"x", r"path rooms: TSV has one type a column, but path rooms\.a is bytes, text"),
        ([], r"path rooms: TSV has one type a column, but path rooms\.a is list, text"),
    ],
    ids=repr,
)
def test_what_tsv_cannot_hold_is_refused_and_nothing_is_left(value: Any, message: str, tmp_path: Path) -> None:
    objects = [{"rooms": [{"a": "x"}, {"a": value}]}]
    with pytest.raises(RefusedError, match=f"{message}.*; write parquet or jsonl"):
        published(tmp_path, *objects, file_format="tsv")
    assert list(tmp_path.iterdir()) == []
    assert list(rebuild(published(tmp_path, *objects, file_format="jsonl"))) == objects


@pytest.mark.parametrize("other", [1, "x", 1.5, True])
def test_bytes_go_with_nothing_else(other: Any, tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=r"path a is .*bytes"):
        published(tmp_path, {"a": b"x"}, {"a": other}, file_format="tsv")


UNKEPT = [b"x", date(2026, 1, 2), {"b": [b"x"]}, (1,), float("nan"), {1: 2}, ["\0"], {"\0": 1}, "\ud800"]


@pytest.mark.parametrize("value", UNKEPT, ids=ascii)
def test_what_json_has_not_is_refused_inside_a_value_that_is_kept(value: Any, tmp_path: Path) -> None:
    with pytest.raises(
        RefusedError, match=r"record 2: path a: (holds a|has a key|NaN|a text holds U\+0000|cannot be kept)"
    ):
        published(tmp_path, {"a": {"x": 1}}, {"a": {"x": value}}, file_format="parquet", keep_json=["a"])

"""A generation is there whole or not at all, and nothing else in its directory changes."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from loaders.errors import SettingsError, StageError
from loaders.nested import (
    Generation,
    JsonLines,
    NestedOptions,
    RefusedError,
    Registry,
    normalize,
    open_generation,
    rebuild,
    spill,
)

PROJECT = Path(__file__).parents[2]
OPTIONS = NestedOptions("visits", root_key=["id"])
OBJECTS = [{"id": "a", "rooms": [{"no": 1}]}, {"id": "b", "rooms": [], "note": None}]


def published(directory: Path, objects: Any = OBJECTS, options: NestedOptions = OPTIONS, **given: Any) -> Generation:
    generation = spill(objects, directory, options, **given)
    assert generation
    return generation


def contents(directory: Path) -> dict[str, str]:
    """The digest of every file."""
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_generation_is_opened_as_it_was_published(tmp_path: Path) -> None:
    generation = published(tmp_path)
    assert open_generation(generation.directory) == generation
    assert list(rebuild(generation)) == [
        {"id": "a", "rooms": [{"no": 1}]},
        {"id": "b", "rooms": [], "note": None},
    ]
    generation.check_files()


def test_memory_and_spill_give_the_same_rows_ids_names_and_verdicts(tmp_path: Path) -> None:
    generation, package = published(tmp_path), normalize(OBJECTS, OPTIONS)
    for name, table in package.tables.items():
        file = generation.tables[name]
        assert file.facts == table.facts
        assert [row for batch in file.batches() for row in batch.to_pylist()] == table.rows()
    assert list(generation.tables) == list(package.tables)
    assert (generation.bindings, generation.checks) == (package.bindings, package.checks)
    assert (generation.record_count, generation.blank_count) == (package.record_count, package.blank_count)


def test_every_table_is_one_parquet_file_of_text_with_a_checksum_and_a_sidecar(tmp_path: Path) -> None:
    generation = published(tmp_path)
    assert {path.name for path in generation.directory.iterdir()} == {
        "manifest.json",
        "visits.parquet",
        "visits.json",
        "visits__rooms.parquet",
        "visits__rooms.json",
    }
    for table in generation.tables.values():
        schema = pq.read_schema(table.file)
        assert schema.names == [*table.facts.columns, "record_number"]
        assert {str(one.type) for one in schema} == {"string", "int64"}
        assert hashlib.sha256(table.file.read_bytes()).hexdigest() == table.sha256
        assert table.file.stat().st_size == table.byte_count
        assert pq.read_metadata(table.file).num_rows == table.facts.row_count


def test_a_column_that_comes_up_late_is_null_in_the_rows_before(tmp_path: Path) -> None:
    def objects() -> Iterator[dict[str, Any]]:
        for number in range(70_000):
            yield {"id": str(number), "tags": [{"a": "x"}]} | ({"late": "y"} if number % 50_000 == 40_000 else {})

    generation = published(tmp_path, objects(), options=NestedOptions("visits", root_key=["id"], verify="all"))
    rows = [row for batch in generation.tables["visits"].batches() for row in batch.to_pylist()]
    assert [row["late"] for row in rows if row["late"]] == ["y"]
    assert [row["record_number"] for row in rows] == list(range(1, 70_001))
    package = normalize(objects(), OPTIONS)
    assert package.tables["visits"].rows() == rows
    assert not [path for path in generation.directory.iterdir() if path.suffix not in {".parquet", ".json"}]


def test_a_retry_makes_another_generation_and_appends_to_none(tmp_path: Path) -> None:
    first = published(tmp_path)
    before = contents(first.directory)
    second = published(tmp_path, registry=first.registry)
    assert first.directory != second.directory
    assert contents(first.directory) == before
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("objects", [[], JsonLines.of_stream([b"\n", b" \n"], name="x")], ids=["none", "blank lines"])
def test_no_object_publishes_no_generation(objects: Any, tmp_path: Path) -> None:
    assert spill(objects, tmp_path, OPTIONS) is None
    assert list(tmp_path.iterdir()) == []


def test_a_table_without_rows_is_not_made(tmp_path: Path) -> None:
    first = published(tmp_path)
    second = published(tmp_path, [{"id": "c"}], registry=first.registry)
    assert list(second.tables) == ["visits"]


@pytest.mark.parametrize(
    "bad",
    [{"id": "a"}, {"id": None}, {"id": "c", "x": {"y": {1}}}, {"id": "c", "x": "\0"}, {"id": "c", "Id": 1}],
    ids=str,
)
def test_a_failed_attempt_leaves_nothing_and_changes_nothing(bad: dict[str, Any], tmp_path: Path) -> None:
    published(tmp_path)
    (tmp_path / ".foreign").mkdir()
    (tmp_path / ".foreign" / "file").write_text("x")
    (tmp_path / "foreign.parquet").write_text("x")
    before = contents(tmp_path)
    with pytest.raises(RefusedError):
        spill([*OBJECTS, bad], tmp_path, OPTIONS)
    assert contents(tmp_path) == before
    assert len(list(tmp_path.iterdir())) == 3


def test_an_input_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def objects() -> Iterator[dict[str, Any]]:
        yield from OBJECTS
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError, match="gone"):
        spill(objects(), tmp_path, OPTIONS)
    assert list(tmp_path.iterdir()) == []


def test_hidden_directories_of_killed_processes_go_after_a_day(tmp_path: Path) -> None:
    for name in (".visits_0123456789ab.generation", ".foreign"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "visits.0").write_text("x")
    first = published(tmp_path)
    moment = (tmp_path / ".foreign").stat().st_mtime
    assert (tmp_path / ".visits_0123456789ab.generation").exists()
    second = published(tmp_path, clock=lambda: moment + 25 * 3600)
    left = {".foreign", first.name, second.name}
    assert {path.name for path in tmp_path.iterdir()} == left


def test_two_spills_at_once_give_two_whole_generations(tmp_path: Path) -> None:
    objects = [{"id": str(number), "rooms": [{"no": number}]} for number in range(2_000)]
    threads = [threading.Thread(target=spill, args=(objects, tmp_path, OPTIONS)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    generations = [open_generation(path) for path in tmp_path.iterdir()]
    assert [list(rebuild(generation)) for generation in generations] == [objects, objects]
    assert len({generation.name for generation in generations}) == 2


def test_a_generation_is_dropped_whole(tmp_path: Path) -> None:
    kept, dropped = published(tmp_path), published(tmp_path)
    dropped.drop()
    assert [path.name for path in tmp_path.iterdir()] == [kept.name]


def test_a_changed_file_is_found(tmp_path: Path) -> None:
    generation = published(tmp_path)
    file = generation.tables["visits"].file
    assert not [path for path in generation.directory.iterdir() if path.stat().st_mode & 0o222]
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(StageError, match=r"changed since it was written: visits\.parquet; make it again"):
        generation.check_files()


@pytest.mark.parametrize("text", [None, "{", '{"version": 7}'])
def test_a_directory_without_a_whole_manifest_is_no_generation(text: str | None, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(StageError, match=r"no generation|version 7"):
        open_generation(tmp_path)


def test_an_unknown_format_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="format is 'csv', expected one of: parquet, jsonl, tsv"):
        spill([{}], tmp_path / "out", OPTIONS, file_format="csv")
    assert list(tmp_path.iterdir()) == []


def test_the_names_of_one_file_bind_those_of_the_next(tmp_path: Path) -> None:
    first = published(tmp_path)
    registry = Registry.from_bindings(open_generation(first.directory).bindings)
    with pytest.raises(RefusedError, match=r"path Rooms: .*which stands for path rooms"):
        spill([{"id": "a", "Rooms": [1]}], tmp_path, OPTIONS, registry=registry)


# A process that kills itself the moment Python is about to do what `event` names for the file that ends in `suffix`.
KILLED = """
import itertools, os, signal, sys
from pathlib import Path
from loaders.nested import NestedOptions, spill

directory, event, suffix = sys.argv[1:]

def watch(name, arguments):
    if name == event and arguments and str(arguments[0]).endswith(suffix):
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(watch)
objects = ({"id": str(number), "rooms": [{"no": number}]} for number in range(20_000))
spill(objects, Path(directory), NestedOptions("visits", root_key=["id"]))
"""


@pytest.mark.parametrize(
    ("event", "suffix"),
    [
        ("os.mkdir", ".generation"),
        ("os.rename", "visits.0"),
        ("os.rename", "visits__rooms.0"),
        ("os.chmod", "visits.parquet"),
        ("open", "visits__rooms.json"),
        ("open", "manifest.json"),
        ("os.rename", ".generation"),
    ],
    ids=lambda part: part,
)
def test_a_process_that_is_killed_leaves_no_part_of_a_generation(event: str, suffix: str, tmp_path: Path) -> None:
    earlier = published(tmp_path)
    before = contents(tmp_path)
    killed = subprocess.run([sys.executable, "-c", KILLED, tmp_path, event, suffix], cwd=PROJECT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == [earlier.name]
    assert {name: digest for name, digest in contents(tmp_path).items() if not name.startswith(".")} == before
    again = published(tmp_path)
    assert open_generation(again.directory).record_count == len(OBJECTS)
    moment = max(os.stat(path).st_mtime for path in tmp_path.rglob("*"))
    published(tmp_path, clock=lambda: moment + 25 * 3600)
    assert not list(tmp_path.glob(".*"))


def test_a_process_that_is_killed_while_it_writes_leaves_no_part_either(tmp_path: Path) -> None:
    earlier = published(tmp_path)
    before = contents(tmp_path)
    script = KILLED.replace("range(20_000)", "itertools.count()")
    with subprocess.Popen([sys.executable, "-c", script, tmp_path, "never", ""], cwd=PROJECT) as writer:
        while not any(path.stat().st_size for path in tmp_path.glob(".*/visits__rooms.0")):
            assert writer.poll() is None
        writer.kill()
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == [earlier.name]
    assert {name: digest for name, digest in contents(tmp_path).items() if not name.startswith(".")} == before

"""The command line: a look at a file, and a generation of it; no database."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from loaders.nested import open_generation
from loaders.nested.__main__ import main

CASES = Path(__file__).parent / "cases"
ITEMS = str(CASES / "conversation_items.jsonl")
NAMED = ["--key", "id", "--tables", "content.messageData.quickReplyRequest.options=conversation_items__options"]


def test_a_preview_shows_tables_columns_kinds_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preview", str(CASES / "empty_states.jsonl"), "--key", "id"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "4 records, 0 blank lines",
        "empty_states: 4 rows",
        "    id: 4 text (id)",
        "    tags: 1 list, 1 null (tags)",
        "    meta: 1 null, 1 object (meta)",
        "empty_states__tags: 1 rows from tags",
        "    value: 1 text (tags[])",
        "empty_states__meta: 1 rows from meta",
        "    k: 1 integer (meta.k)",
    ]


def test_a_preview_names_every_name_that_cannot_be_had_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "visits.jsonl"
    file.write_text(
        '{"a-b":[{"c":1}],"a_b":[{"größe":1}]}\n\n{"größe":{"tief":[1]},"row_id":1,"x":null}\n{"x":NaN}\n', "utf-8"
    )
    assert main(["preview", str(file), "--columns", "y=z", "--json"]) == 1
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [problem.split(";")[0] for problem in found["problems"]] == [
        "visits.jsonl line 1: path a_b: would be table 'visits__a_b', which stands for path a-b",
        "visits.jsonl line 1: path a_b.größe: 'größe' is not ASCII and makes no name",
        "visits.jsonl line 3: path größe: 'größe' is not ASCII and makes no name",
        "visits.jsonl line 3: path row_id: 'row_id' is a column that every load sets itself",
        "visits.jsonl line 4: NaN is no JSON number",
    ]
    assert found["unused"] == ["columns: y never came"]
    assert (found["record_count"], found["blank_count"]) == (2, 1)
    assert {table["path"]: table["row_count"] for table in found["tables"]} == {
        "": 2,
        "a-b": 1,
        "a_b": 1,
        "größe": 1,
        "größe.tief": 1,
    }


def test_a_preview_writes_nothing_and_needs_no_database(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "loaders.nested", "preview", ITEMS, *NAMED]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    assert "conversation_items__options: 2 rows from content.messageData.quickReplyRequest.options" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file_format", ["parquet", "jsonl"])
def test_a_spill_publishes_one_generation(file_format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--directory", str(tmp_path), "--format", file_format, "--verify", "all"]
    assert main(["spill", ITEMS, *NAMED, *given]) == 0
    lines = capsys.readouterr().out.splitlines()
    (directory,) = tmp_path.iterdir()
    assert lines[0] == f"{directory}: 7 records, 0 blank lines"
    assert lines[-1] == "rebuild: passed (7 of 7 objects rebuilt and compared)"
    generation = open_generation(directory)
    assert generation.tables["conversation_items"].facts.row_count == 7
    assert generation.tables["conversation_items"].file.suffix == f".{file_format}"


def test_options_come_from_a_file_and_the_command_line_goes_on_top(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = tmp_path / "options.yml"
    options.write_text("root_table: items\nroot_key: [id]\nkeep_json: [content]\nverify: none\n")
    given = ["--options", str(options), "--directory", str(tmp_path / "out"), "--format", "tsv", "--json"]
    assert main(["spill", ITEMS, *given, "--root", "lines"]) == 0
    manifest = json.loads(capsys.readouterr().out)
    assert [table["table"] for table in manifest["tables"]] == ["lines", "lines__initiator"]
    assert manifest["checks"][-1]["verdict"] == "not evaluated"


def test_a_file_without_records_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.jsonl").write_text("\n")
    assert main(["spill", str(tmp_path / "none.jsonl"), "--directory", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == "no records: nothing was written\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["preview", "absent.jsonl"], 2, "error: absent.jsonl: no such file"),
        (["preview", ITEMS, "--options", "absent.yml"], 2, "error: absent.yml: cannot be read"),
        (["preview", ITEMS, "--root", "Ä", "--columns", "a=row_id"], 2, "error: root_table: 'Ä' is not .*; columns: a"),
        (["spill", ITEMS, "--key", "id", "--directory", "OUT"], 1, "error: conversation_items.jsonl line 5: path"),
        (["spill", ITEMS, "--key", "customerId", "--directory", "OUT", "--keep-json", "content"], 1, "root keys come"),
    ],
    ids=["no file", "no options", "wrong options", "refused", "failed check"],
)
def test_an_error_is_one_line_and_an_exit_code(
    arguments: list[str], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(tmp_path / "out") if one == "OUT" else one for one in arguments]
    assert main(given) == code
    text = capsys.readouterr().err
    assert len(text.splitlines()) == 1
    assert re.search(message, text)


def test_a_pair_without_an_equals_sign_is_a_wrong_argument(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["preview", ITEMS, "--tables", "content"])
    assert "'content' is not PATH=NAME" in capsys.readouterr().err

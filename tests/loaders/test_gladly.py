"""python -m loaders.gladly and the build after it: what a report brings, and what bad input gets."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from demo.export_jobs import IN_PROGRESS, NO_FILES
from demo.faults import Body, Status
from demo.sandbox import Sandbox
from loaders.gladly.__main__ import main
from warehouse import Warehouse

CASES = Path(__file__).parent / "cases"
TODAY = date(2026, 1, 31)


class Desk:
    """The sandbox, a warehouse with one report of it, and the loader between them."""

    def __init__(self, warehouse: Warehouse, sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
        self.warehouse = warehouse
        self.sandbox = sandbox
        self._capsys = capsys
        self.report()

    def report(self, materialized: str = "bronze_merge", *, meta: dict[str, Any] | None = None, **model: Any) -> None:
        """Declare the one report; by default rolling, keyed by contact_id."""
        declared = {"metric_set": "ContactExportReportV3", "window": "rolling", "record_key": ["contact_id"]}
        self.warehouse.model(
            materialized, source="gladly", record_key=(), source_meta={**declared, **(meta or {})}, **model
        )

    def load(self, *arguments: str) -> tuple[int, str, str]:
        """The loader's exit code, lines and errors."""
        code = main(["--end-date", str(self.sandbox.today - timedelta(days=1)), *arguments])
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err

    def serve(self, *bodies: bytes | str) -> None:
        """What the next requests get; a text is the name of a case."""
        for body in bodies:
            self.sandbox.faults.append(Body((CASES / body).read_bytes() if isinstance(body, str) else body))

    def windows(self) -> list[tuple[str, str]]:
        """The days of every request so far."""
        return [(one.body["startAt"], one.body["endAt"]) for one in self.sandbox.requests]


@pytest.fixture
def desk(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Desk]:
    with Sandbox(today=TODAY, contacts_per_day=3, requests_per_minute=None) as sandbox:
        warehouse.enter(monkeypatch)
        user, token = sandbox.credentials
        monkeypatch.setenv("GLADLY_URL", sandbox.url)
        monkeypatch.setenv("GLADLY_USER", user)
        monkeypatch.setenv("GLADLY_API_TOKEN", token)
        yield Desk(warehouse, sandbox, capsys)


def rows(desk: Desk, *columns: str) -> list[tuple[Any, ...]]:
    return desk.warehouse.rows(*columns)


# What is kept, by file.
KEPT: dict[str, tuple[Sequence[str], list[tuple[Any, ...]]]] = {
    "framing.csv": (
        ["contact_id", "notes"],
        [
            ("F-1", "plain"),
            ("F-2", "line one\nline two"),
            ("F-3", "crlf\r\ninside"),
            ("F-4", 'she wrote "ok", then left\n'),
        ],
    ),
    "byte_order_mark.csv": (["contact_id", "status"], [("B-1", "OPEN"), ("B-2", "CLOSED")]),
    "nulls.csv": (
        ["contact_id", "value"],
        [("N-1", None), ("N-2", ""), ("N-3", "\\N"), ("N-4", "NULL"), ("N-5", "NA"), ("N-6", " ")],
    ),
    "text_kept.csv": (
        ["contact_id", "value"],
        [
            ("P-1", "00042"),
            ("P-2", "12345678901234567890"),
            ("P-3", "1e5"),
            ("P-4", "1.50"),
            ("P-5", "TRUE"),
            ("P-6", "2024-03-10T02:30:00Z"),
            ("P-7", "  two before"),
            ("P-8", "one after "),
        ],
    ),
}


@pytest.mark.parametrize("case", KEPT)
def test_every_value_reaches_bronze_as_it_was_sent(desk: Desk, case: str) -> None:
    columns, expected = KEPT[case]
    desk.serve(case)
    assert desk.load()[0] == 0
    desk.warehouse.build()
    assert rows(desk, *columns) == expected


def test_a_byte_order_mark_changes_neither_key_nor_hash(desk: Desk) -> None:
    desk.serve("byte_order_mark.csv", "no_byte_order_mark.csv")
    desk.load()
    desk.warehouse.build()
    desk.load()
    build = desk.warehouse.build()
    assert build.results["bronze_contacts"] == "1 batch: 2 landed, 0 inserted, 0 updated, 2 unchanged"


REFUSED = {
    "one header twice": (b"Contact ID,Status,Status\nD-1,OPEN,CLOSED\n", "headers 'Status' and 'Status' both become"),
    "ragged records": (b"Contact ID,A,B\nG-1,x,y\nG-2,x,y,z\nG-3,x\n", "line 3"),
    "an error text": (b"Unexpected error occurred", "no report came but 'Unexpected error occurred'"),
    "HTML": (b"<html>sorry</html>", "<html>sorry"),
    "JSON errors": (b'{"errors":[{"code":"invalid"}]}', "invalid"),
    "a renamed key column": (b"Contact Number,Status\nA,OPEN\n", "no report came but"),
    "cut inside quotes": (b'Contact ID,Notes\nA,"open', "quote"),
    "a stray quote": (b'Contact ID,Notes\nA,b"c\n', "line 2"),
    "a NUL character": (b"Contact ID,Notes\nA,b\0c\n", "line 2"),
    "bytes that are not UTF-8": (b"Contact ID,Notes\nA,\xff\n", "line 2"),
    "a load column": (b"Contact ID,Record Hash\nA,b\n", "'Record Hash' becomes 'record_hash'"),
    "two headers equal in their first 63 bytes": (
        b"Contact ID," + b"conversation_first_response_time_in_business_hours_for_the_inbox_average,"
        b"conversation_first_response_time_in_business_hours_for_the_inbox_median\nI-1,10,20\n",
        "63 is the limit",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_report_that_cannot_be_kept_is_refused_and_changes_nothing(desk: Desk, case: str) -> None:
    body, expected = REFUSED[case]
    desk.serve(b"Contact ID,Status\nA,OPEN\n")
    desk.load()
    desk.warehouse.build()
    before = desk.warehouse.snapshot(), desk.warehouse.stage()
    desk.serve(body)
    code, _, errors = desk.load()
    assert code == 1
    assert errors.startswith("error: gladly.contacts 2025-12-31..2026-01-30: ")
    assert errors.count("\n") == 1
    assert expected in errors
    assert (desk.warehouse.snapshot(), desk.warehouse.stage()) == before


def test_ragged_records_are_named_by_their_lines(desk: Desk) -> None:
    desk.serve("ragged.csv")
    _, _, errors = desk.load()
    assert "line 3" in errors
    assert "line 4" in errors


@pytest.mark.parametrize(
    "body", [b"", b"\r\n\r\n", b"Contact ID,Status\n"], ids=["no bytes", "line ends", "header only"]
)
def test_an_empty_report_is_a_batch_of_zero_rows(desk: Desk, body: bytes) -> None:
    desk.serve(b"Contact ID,Status\nA,OPEN\n", body)
    for _ in range(2):
        assert desk.load()[0] == 0
        desk.warehouse.build()
    assert desk.warehouse.ledger("status", "row_count") == [("loaded", 1), ("loaded", 0)]
    assert rows(desk, "contact_id") == [("A",)]


def test_a_rolling_report_asks_for_its_lookback_and_names_its_time_zone(desk: Desk) -> None:
    desk.load()
    (request,) = desk.sandbox.requests
    assert request.body["timezone"] == "UTC"
    assert desk.windows() == [("2025-12-31", "2026-01-30")]
    desk.load("--lookback-days", "1")
    assert desk.windows()[-1] == ("2026-01-29", "2026-01-30")


def test_the_watermark_is_the_windows_last_day_and_the_next_window_follows_it(desk: Desk) -> None:
    desk.load()
    desk.warehouse.build()
    assert desk.warehouse.watermark("gladly.contacts") == datetime(2026, 1, 30, tzinfo=UTC)
    desk.sandbox.today += timedelta(days=1)
    desk.load()
    assert desk.windows()[-1] == ("2026-01-01", "2026-01-31")
    assert desk.warehouse.ledger("batch_id", "low")[-1] == (
        "2026-01-01..2026-01-31",
        datetime(2025, 12, 31, tzinfo=UTC),
    )


def test_after_a_pause_what_was_open_then_is_asked_for_again(desk: Desk) -> None:
    desk.load()
    desk.warehouse.build()
    desk.sandbox.today += timedelta(days=10)
    _, output, _ = desk.load()
    assert desk.windows()[-1] == ("2026-01-01", "2026-02-09")
    pause = "gladly.contacts: 40 days are asked for, since the last loaded window ended long ago"
    assert pause in output
    assert json.loads(desk.load("--json")[1])["notes"] == [pause]
    desk.warehouse.build()
    assert desk.warehouse.watermark("gladly.contacts") == datetime(2026, 2, 9, tzinfo=UTC)


def test_a_backfill_honours_both_ends(desk: Desk) -> None:
    desk.load("--start-date", "2026-01-03", "--end-date", "2026-01-05")
    assert desk.windows() == [("2026-01-03", "2026-01-05")]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--end-date", "2999-01-01"], "gladly.contacts: --end-date 2999-01-01 has not come"),
        (["--start-date", "2026-01-05", "--end-date", "2026-01-03"], "swap the two dates"),
        (["--lookback-days", "999999999"], "before the calendar; ask for fewer days"),
    ],
    ids=["an end that has not come", "an end before the start", "a lookback to before the calendar"],
)
def test_days_that_cannot_be_asked_for_are_wrong_arguments(desk: Desk, arguments: list[str], problem: str) -> None:
    code, _, errors = desk.load(*arguments)
    assert code == 2
    assert problem in errors
    assert desk.sandbox.requests == []
    assert desk.load(*arguments, "--dry-run")[0] == 2


def test_a_first_run_stops_at_the_first_day_that_is_refused(desk: Desk) -> None:
    desk.report("batch_replace", meta=DAILY)
    desk.sandbox.faults.append(Body(b"Unexpected error occurred"))
    assert desk.load()[0] == 1
    assert desk.warehouse.stage() == {}
    assert desk.load()[0] == 0
    assert [start for start, _ in desk.windows()] == [
        "2026-01-27",
        "2026-01-27",
        "2026-01-28",
        "2026-01-29",
        "2026-01-30",
    ]


def test_an_attempt_again_supersedes_the_pending_one(desk: Desk) -> None:
    desk.load()
    desk.load()
    assert desk.warehouse.ledger("status", "low") == [("superseded", None), ("landed", None)]
    desk.warehouse.build()
    assert desk.warehouse.watermark("gladly.contacts") == datetime(2026, 1, 30, tzinfo=UTC)


DAILY = {"metric_set": "ContactTimestampsReport", "window": "daily", "initial_days": 4, "record_key": [],
         "required_columns": ["event_type"]}  # fmt: skip


def test_a_daily_report_is_one_request_and_one_batch_a_day(desk: Desk) -> None:
    desk.report("batch_replace", meta=DAILY)
    desk.load()
    days = ["2026-01-27", "2026-01-28", "2026-01-29", "2026-01-30"]
    assert desk.windows() == [(day, day) for day in days]
    midnights = [datetime(2026, 1, day, tzinfo=UTC) for day in (27, 28, 29)]
    assert desk.warehouse.ledger("batch_id", "low") == list(zip(days, [None, *midnights[:3]], strict=True))
    desk.warehouse.build()
    assert desk.warehouse.watermark("gladly.contacts") == datetime(2026, 1, 30, tzinfo=UTC)
    desk.sandbox.today += timedelta(days=1)
    desk.load()
    assert [start for start, _ in desk.windows()[4:]] == ["2026-01-29", "2026-01-30", "2026-01-31"]


def test_a_day_that_is_refused_leaves_a_hole_that_the_next_run_asks_for_again(desk: Desk) -> None:
    desk.report("batch_replace", meta=DAILY)
    desk.load()
    desk.warehouse.build()
    desk.sandbox.today += timedelta(days=3)
    asked = len(desk.windows())
    # The two days that settle, then three new ones, the first of which is refused.
    desk.sandbox.faults.extend([None, None, Body(b"Unexpected error occurred"), None, None])
    code, _, errors = desk.load()
    assert code == 1
    assert "gladly.contacts 2026-01-31: no report came" in errors
    desk.warehouse.build()
    assert desk.warehouse.watermark("gladly.contacts") == datetime(2026, 1, 30, tzinfo=UTC)
    assert ("2026-02-02", "loaded") in desk.warehouse.ledger("batch_id", "status")
    assert desk.load()[0] == 0
    assert [start for start, _ in desk.windows()[asked + 5 :]] == [
        "2026-01-29", "2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02",
    ]  # fmt: skip
    desk.warehouse.build()
    assert desk.warehouse.watermark("gladly.contacts") == datetime(2026, 2, 2, tzinfo=UTC)


def test_a_window_at_the_row_cap_is_split_by_days_into_one_whole_batch(desk: Desk) -> None:
    desk.report(meta={"row_cap": 20})
    desk.sandbox.row_cap = 20
    assert desk.load()[0] == 0
    assert len(desk.windows()) > 1
    assert desk.warehouse.ledger("row_count") == [(31 * 3,)]
    desk.warehouse.build()
    assert len(rows(desk, "contact_id")) == 31 * 3


def test_one_day_at_the_row_cap_is_refused(desk: Desk) -> None:
    desk.report(meta={"row_cap": 2})
    desk.sandbox.row_cap = 2
    code, _, errors = desk.load()
    assert code == 1
    assert "2 rows in one day, and Gladly cuts at 2 in silence" in errors
    assert desk.warehouse.stage() == {}


def test_wrong_credentials_are_said_without_being_shown(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLADLY_API_TOKEN", "s3cret-and-wrong")
    code, output, errors = desk.load()
    assert code == 1
    assert "GLADLY_USER" in errors
    assert "GLADLY_API_TOKEN" in errors
    assert "s3cret" not in output + errors


def test_all_missing_settings_are_named_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GLADLY_URL")
    monkeypatch.setenv("GLADLY_API_TOKEN", " ")
    assert desk.load() == (2, "", "error: set GLADLY_URL, GLADLY_API_TOKEN in the environment (README.md, Settings)\n")


def test_all_wrong_declarations_are_named_at_once_before_anything_is_asked(desk: Desk) -> None:
    desk.report(meta={"window": "weekly", "lookback_days": "30", "metricset": "X"})
    code, _, errors = desk.load("--only", "agents")
    assert code == 2
    assert "window is 'weekly', expected one of: rolling, daily" in errors
    assert "lookback_days is '30', expected int" in errors
    assert "metricset is unknown, expected: columns, file, initial_days" in errors
    assert "--only agents: no such table of source 'gladly'; there are: contacts" in errors
    assert desk.sandbox.requests == []


def test_a_dry_run_asks_nothing_and_writes_nothing(desk: Desk) -> None:
    assert desk.load("--dry-run") == (0, "gladly.contacts 2025-12-31..2026-01-30: would be asked for\n", "")
    assert desk.sandbox.requests == []
    assert not (desk.warehouse.directory / "warehouse.duckdb").exists()


def test_a_dry_run_under_json_lists_what_would_be_asked_for(desk: Desk) -> None:
    code, output, _ = desk.load("--dry-run", "--json")
    assert code == 0
    assert json.loads(output) == {
        "planned": [
            {"source_table": "gladly.contacts", "batch_id": "2025-12-31..2026-01-30", "plan": "would be asked for"}
        ],
        "batches": [],
        "failures": [],
        "notes": [],
    }
    assert desk.sandbox.requests == []


def test_json_is_one_document_of_batches_and_failures(desk: Desk) -> None:
    desk.sandbox.faults.extend([None, Status(400, body=b'{"errors":[{"attr":"metricSet","code":"blank"}]}')])
    _, output, _ = desk.load("--json")
    document = json.loads(output)
    assert [one["row_count"] for one in document["batches"]] == [93]
    assert document["failures"] == []
    code, output, _ = desk.load("--json")
    assert code == 1
    assert "metricSet" in json.loads(output)["failures"][0]["error"]


@pytest.mark.parametrize("warehouse", ["duckdb"], indirect=True)
def test_a_batch_whose_loader_died_before_its_ledger_row_is_adopted(desk: Desk) -> None:
    desk.load()
    row = desk.warehouse.ledger(
        "batch_id", "pipeline_run_id", "columns", "row_count", "sha256", "low", "high", "extracted_at"
    )
    desk.warehouse.query("delete from hotelmind_warehouse.etl_batches")
    desk.sandbox.faults.append(Status(400))
    _, output, _ = desk.load()
    assert "gladly.contacts 2025-12-31..2026-01-30: found whole in the stage, entered in the ledger" in output
    assert (
        desk.warehouse.ledger(
            "batch_id", "pipeline_run_id", "columns", "row_count", "sha256", "low", "high", "extracted_at"
        )
        == row
    )
    desk.warehouse.build()
    assert len(rows(desk, "contact_id")) == 93


@pytest.mark.parametrize("warehouse", ["duckdb"], indirect=True)
def test_a_locked_warehouse_is_said_after_a_bounded_wait(desk: Desk) -> None:
    desk.load()
    with desk.warehouse.locked():
        started = time.monotonic()
        code, _, errors = desk.load()
    assert code == 1
    assert "warehouse.duckdb: locked by another process for 1 s; wait for that run to end" in errors
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("warehouse", ["duckdb"], indirect=True)
def test_the_loader_waits_for_a_lock_that_is_let_go(desk: Desk) -> None:
    desk.load()
    with desk.warehouse.locked() as release:
        threading.Timer(0.3, release).start()
        assert desk.load()[0] == 0


WHOLE = {"window": "whole", "list": "topics", "record_key": ["id"], "columns": {"parentId": "parent_id"}}


def test_a_whole_list_replaces_the_one_before(desk: Desk) -> None:
    desk.report("truncate_insert", meta=WHOLE)
    assert desk.load()[0] == 0
    first = desk.warehouse.build().results["bronze_contacts"]
    assert "deleted" not in first
    columns = {one["name"] for one in json.loads(desk.warehouse.ledger("columns")[0][0])}
    assert {"id", "name", "disabled", "parent_id"} <= columns
    desk.load()
    count = desk.warehouse.ledger("row_count")[0][0]
    assert (
        f"{count} inserted, 0 updated, 0 unchanged, {count} deleted"
        in desk.warehouse.build().results["bronze_contacts"]
    )


EXPORT = {"window": "export", "file": "conversation_items.jsonl", "record_key": []}


def test_every_completed_export_job_is_one_batch_of_raw_lines_oldest_first(desk: Desk) -> None:
    desk.report("append", meta=EXPORT)
    assert desk.load()[0] == 0
    days = len(desk.warehouse.ledger("batch_id"))
    assert days > 7
    desk.warehouse.build()
    lines = desk.warehouse.rows("line")
    assert lines
    assert all(json.loads(line)["id"] for (line,) in lines)
    assert desk.load()[1] == ""
    assert len(desk.warehouse.ledger("batch_id")) == days
    desk.sandbox.today += timedelta(days=1)
    desk.load()
    assert len(desk.warehouse.ledger("batch_id")) == days + 1


def test_a_job_that_is_not_complete_waits_and_one_without_the_file_is_a_batch_of_zero_rows(desk: Desk) -> None:
    desk.report("append", meta=EXPORT)
    yesterday = desk.sandbox.today - timedelta(days=1)
    desk.sandbox.nights[yesterday] = IN_PROGRESS
    desk.sandbox.nights[yesterday - timedelta(days=1)] = NO_FILES
    assert desk.load()[0] == 0
    counts = [count for (count,) in desk.warehouse.ledger("row_count")]
    assert counts[-1] == 0
    assert all(counts[:-1])
    desk.sandbox.nights.clear()
    desk.load()
    assert desk.warehouse.ledger("row_count > 0")[-1] == (True,)


def test_a_job_that_is_gone_for_good_is_a_rejected_batch_and_the_next_goes_on(desk: Desk) -> None:
    desk.report("append", meta=EXPORT)
    desk.sandbox.faults_of["conversation_items.jsonl"].append(Status(404))
    assert desk.load()[0] == 0
    rows = desk.warehouse.ledger("status", "reason", "location")
    assert [row[0] for row in rows].count("rejected") == 1
    assert "gone for good; Gladly keeps exports for 14 days" in rows[0][1]
    assert rows[0][2] is None
    desk.warehouse.build()
    assert {row[0] for row in desk.warehouse.ledger("status")} == {"rejected", "loaded"}


def test_a_job_that_cannot_be_read_stops_its_source_there(desk: Desk) -> None:
    desk.report("append", meta=EXPORT)
    desk.sandbox.faults_of["conversation_items.jsonl"].extend([None, Status(403)])
    code, _, errors = desk.load()
    assert code == 1
    assert "HTTP 403" in errors
    assert len(desk.warehouse.ledger("batch_id")) == 1
    assert desk.load()[0] == 0
    assert len(desk.warehouse.ledger("batch_id")) > 7

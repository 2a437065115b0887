"""The report of `make certify` says what ran, and of what did not run that it did not."""

from __future__ import annotations

import json
from pathlib import Path

from tests.certify import FAILED, PASSED, UNVERIFIED, main, make_report


def outcome(engine: str, status: str) -> dict[str, object]:
    return {"promise": "objects come back", "engine": engine, "status": status, "recorded": {}}


def test_what_did_not_run_is_unverified() -> None:
    report = make_report([outcome("duckdb", PASSED)], "abc")
    assert report["commit"] == "abc"
    assert report["promises"]["objects come back"] == {
        "DuckDB": PASSED,
        "PostgreSQL": UNVERIFIED,
        "Snowflake's stand-in": UNVERIFIED,
        "a Snowflake account": UNVERIFIED,
    }


def test_one_failure_is_not_undone_by_what_passed() -> None:
    report = make_report([outcome("duckdb", FAILED), outcome("duckdb", PASSED)], "abc")
    assert report["promises"]["objects come back"]["DuckDB"] == FAILED


def test_the_report_is_of_the_tests_that_ran(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    assert main(["--engine", "duckdb", "--report", str(path)]) == 0
    report = json.loads(path.read_text())
    assert [promise["DuckDB"] for promise in report["promises"].values()] == [PASSED, PASSED]
    assert [promise["PostgreSQL"] for promise in report["promises"].values()] == [UNVERIFIED, UNVERIFIED]
    refusals = report["refusals, in their order"]["DuckDB"]
    assert "conversation_id" in refusals["two paths on one column"]
    assert next(iter(refusals)) == "a line that is cut off"

"""make certify: real nested objects through every engine and back, and one report of what was proved."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[1]
TESTS = "tests/macros/test_certified_objects.py"
ENGINES = {"duckdb": "DuckDB", "postgres": "PostgreSQL", "snowflake": "Snowflake's stand-in"}
ACCOUNT = "a Snowflake account"
PASSED, FAILED, UNVERIFIED = "passed", "FAILED", "unverified"


class Outcomes:
    """A pytest plugin that remembers how each test ended on each engine, and what it recorded."""

    def __init__(self) -> None:
        self.found: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        name, _, engine = report.nodeid.partition("::")[2].rstrip("]").partition("[")
        if report.when == "call" or report.failed:
            status = PASSED if report.passed else FAILED
            recorded = dict(report.user_properties)
            self.found.append({"promise": words(name), "engine": engine, "status": status, "recorded": recorded})


def words(name: str) -> str:
    """What a test's name says."""
    return name.removeprefix("test_").replace("_", " ")


def make_report(found: Sequence[dict[str, Any]], commit: str) -> dict[str, Any]:
    """The report: each promise with each engine's status. What did not run is unverified, never passed."""
    promises: dict[str, dict[str, Any]] = {}
    for one in found:
        promise = promises.setdefault(one["promise"], dict.fromkeys([*ENGINES.values(), ACCOUNT], UNVERIFIED))
        engine = ENGINES[one["engine"]]
        promise[engine] = FAILED if FAILED in (promise[engine], one["status"]) else one["status"]
    refusals = {ENGINES[one["engine"]]: one["recorded"] for one in found if one["recorded"]}
    return {
        "commit": commit,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "promises": promises,
        "refusals, in their order": refusals,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests and write the report; 0 where nothing failed and something passed."""
    parser = argparse.ArgumentParser(prog="python -m tests.certify", description=__doc__)
    parser.add_argument("--report", type=Path, default=Path("target/certificate.json"), help="where the report goes")
    parser.add_argument("--engine", action="append", choices=ENGINES, help="only this one; may be repeated")
    options = parser.parse_args(arguments)
    os.chdir(REPOSITORY)
    outcomes = Outcomes()
    chosen = " or ".join(options.engine or ENGINES)
    pytest.main(["-q", "-p", "no:cacheprovider", "-k", chosen, TESTS], plugins=[outcomes])
    report = make_report(outcomes.found, _commit())
    options.report.parent.mkdir(exist_ok=True)
    options.report.write_text(json.dumps(report, indent=2) + "\n")
    for promise, engines in report["promises"].items():
        print(f"\n{promise}")
        for engine, status in engines.items():
            print(f"  {status:10}  {engine}")
    print(f"\n{options.report}")
    statuses = {one["status"] for one in outcomes.found}
    return 0 if statuses == {PASSED} else 1


def _commit() -> str:
    """The commit, and whether the tree is that very commit."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout.strip()  # noqa: S607

    return git("rev-parse", "HEAD") + (" with changes" if git("status", "--porcelain") else "")


if __name__ == "__main__":
    sys.exit(main())

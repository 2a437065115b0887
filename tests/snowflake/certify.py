"""make certify-snowflake: the shared tests on a real account, and what that has proved."""

from __future__ import annotations

import argparse
import os
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.snowflake.real_account import CERTIFIED_DATABASE, ONE_OF, REQUIRED, RealAccount

REPOSITORY = Path(__file__).parents[2]
# Every test here that takes the fixture `warehouse` states a promise of all engines.
SHARED = ("tests/macros", "tests/loaders")


@dataclass
class Outcomes:
    """A pytest plugin that remembers how each test ended."""

    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def pytest_runtest_logreport(self, report: Any) -> None:
        name = report.nodeid.partition("::")[2]
        if report.failed:
            self.failed.append(name)
        elif report.when == "call" and report.passed:
            self.passed.append(name)


def main(arguments: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ) -> int:
    """Certify the account that the environment names; 0 where every test passed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.snowflake.certify",
        description="Run the shared tests on the Snowflake account that SNOWFLAKE_* in the environment names, in a"
        " database of their own that is dropped, and say what they proved. The role must be allowed to create one.",
    )
    parser.add_argument("tests", nargs="*", default=SHARED, help="files or tests, as pytest takes them (default: all)")
    options = parser.parse_args(arguments)
    missing = [name for name in REQUIRED if not environment.get(name)]
    if not any(environment.get(name) for name in ONE_OF):
        missing.append(f"one of {', '.join(ONE_OF)}")
    if missing:
        print(f"nothing was certified; set {'; '.join(missing)}", file=sys.stderr)
        return 1
    account = RealAccount.from_environment(f"hotelmind_certify_{uuid.uuid4().hex[:12]}", environment)
    outcomes = Outcomes()
    os.chdir(REPOSITORY)
    with account.database() as what:
        print(f"certifying {what}, in the database {account.credentials['database']}", flush=True)
        os.environ[CERTIFIED_DATABASE] = str(account.credentials["database"])
        pytest.main(["-q", "-k", "snowflake", "-p", "no:cacheprovider", *options.tests], plugins=[outcomes])
    print(f"\nProved on {what}, by {len(outcomes.passed)} tests; the database is dropped:")
    for name in outcomes.passed:
        print(f"  {name.removeprefix('test_').replace('_', ' ')}")
    for name in outcomes.failed:
        print(f"FAILED  {name}")
    return 0 if outcomes.passed and not outcomes.failed else 1


if __name__ == "__main__":
    sys.exit(main())

"""make certify-snowflake, on the stand-in: what it asks for, what it leaves, what it says."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.snowflake.real_account import ONE_OF, REQUIRED
from tests.snowflake.stand_in import REPOSITORY, StandIn


def certify(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SNOWFLAKE_")}
    command = [sys.executable, "-m", "tests.snowflake.certify", *arguments]
    return subprocess.run(
        command, cwd=REPOSITORY, env={**clean, **environment}, capture_output=True, text=True, check=False
    )


def test_without_an_account_it_names_what_is_missing_and_fails() -> None:
    result = certify(SNOWFLAKE_USER="somebody")
    assert result.returncode == 1
    assert [name for name in (*REQUIRED, *ONE_OF) if name not in result.stderr] == ["SNOWFLAKE_USER"]


def test_it_runs_the_shared_tests_in_a_database_of_its_own_and_says_what_it_proved(snowflake_account: StandIn) -> None:
    snowflake_account.reset()
    credentials = snowflake_account.credentials
    settings = ("account", "user", "password", "role", "warehouse", "host", "port", "protocol")
    environment = {f"SNOWFLAKE_{name.upper()}": str(credentials[name]) for name in settings}
    names = ("test_truncate_insert_leaves_only_the_current_list", "test_an_empty_day_is_a_batch_of_zero_rows")
    result = certify(*(f"tests/macros/test_replacing_strategies.py::{name}" for name in names), **environment)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.endswith(
        "by 2 tests; the database is dropped:\n"
        "  truncate insert leaves only the current list[snowflake]\n"
        "  an empty day is a batch of zero rows[snowflake]\n"
    )
    sent = [one.text for one in snowflake_account.statements()]
    (made,) = [text for text in sent if text.startswith("create database ")]
    assert sent[-1] == made.replace("create database", "drop database if exists")
    assert any(f"from @{made.split()[-1]}.stage.batches/" in text for text in sent)

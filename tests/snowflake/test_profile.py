"""profiles.example.yml: its Snowflake target is one that dbt and the loaders both take."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from loaders.settings import load_target
from loaders.stage import open_stage
from tests.snowflake.stand_in import REPOSITORY, StandIn
from warehouse import Warehouse, contacts


@pytest.fixture
def environment(snowflake_account: StandIn, tmp_path: Path) -> dict[str, str]:
    """A person's environment, and their copy of the example, which leads to the stand-in."""
    snowflake_account.reset()
    port = snowflake_account.credentials["port"]
    example = (REPOSITORY / "profiles.example.yml").read_text()
    address = f"      host: 127.0.0.1\n      port: {port}\n      protocol: http\n"
    (tmp_path / "profiles.yml").write_text(
        example.replace("      type: snowflake\n", f"      type: snowflake\n{address}")
    )
    return {
        "DBT_PROFILES_DIR": str(tmp_path),
        "DBT_TARGET": "snowflake",
        "SNOWFLAKE_ACCOUNT": "standin",
        "SNOWFLAKE_USER": "somebody",
        "SNOWFLAKE_PASSWORD": "unused",
    }


def test_dbt_connects_with_it(environment: dict[str, str], tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("dbt")), "debug", "--log-path", str(tmp_path)]
    result = subprocess.run(
        command, cwd=REPOSITORY, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert "All checks passed!" in result.stdout, result.stdout


def test_the_loaders_land_with_it(environment: dict[str, str], snowflake_account: StandIn, tmp_path: Path) -> None:
    target = load_target(REPOSITORY, environment=environment)
    assert open_stage(target).progress("desk.contacts").pending == ()
    warehouse = Warehouse("snowflake", tmp_path, credentials=dict(target.credentials))
    assert warehouse.deliver(contacts(("A", "1"))).row_count == 1
    assert {one.application for one in snowflake_account.statements()} == {"hotelmind_loaders"}

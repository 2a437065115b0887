"""A stand-in for Snowflake on this machine: fakesnow's server with repairs, in a process of its own.

    with stand_in() as snowflake:
        target = {**snowflake.credentials, "schema": "hotelmind_warehouse", "threads": 4}

It is DuckDB under Snowflake's wire protocol. What it shows, and what it cannot, is said in docs/snowflake.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.snowflake.recorder import Statement

REPOSITORY = Path(__file__).parents[2]
DATABASE = "hotelmind"


@dataclass(frozen=True)
class StandIn:
    """A running stand-in; anybody may log in, with any password."""

    port: int

    @property
    def credentials(self) -> dict[str, Any]:
        """The settings of a dbt target, but for its schema and threads."""
        return {
            "type": "snowflake",
            "account": "standin",
            "user": "somebody",
            "password": "unused",
            "host": "127.0.0.1",
            "port": self.port,
            "protocol": "http",
            "database": DATABASE,
            "role": "transformer",
            "warehouse": "small",
            "reuse_connections": False,
            "connect_retries": 0,
        }

    def reset(self) -> None:
        """Begin with an empty account: one empty database, no sessions, nothing recorded."""
        self._ask("reset")

    def statements(self) -> list[Statement]:
        """What was sent since the last reset."""
        return [Statement(**one) for one in self._ask("statements")]

    def before(self, text: str, sql: str) -> None:
        """Have another session run `sql` once, just before the next statement that contains `text`, in any case."""
        self._ask("before", text=text, sql=sql)

    def _ask(self, name: str, **parameters: str) -> Any:
        url = f"http://127.0.0.1:{self.port}/stand-in/{name}?{urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=30) as answer:
            return json.load(answer)


@contextmanager
def stand_in() -> Iterator[StandIn]:
    """Runs a stand-in on a free port of the loopback address; it ends with the context, or with this process."""
    command = [sys.executable, "-m", "tests.snowflake.server"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONWARNINGS": "ignore"}
    with subprocess.Popen(
        command, cwd=REPOSITORY, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        line = process.stdout.readline()
        if not line.startswith("listening "):
            raise RuntimeError("the stand-in for Snowflake did not start; see its errors above")
        try:
            yield StandIn(int(line.split()[1]))
        finally:
            process.stdin.close()
            process.wait(30)

"""A project on this repository's macros and a fresh DuckDB file, and processes that are timed in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[1]
_PROJECT = """
name: hotelmind_warehouse
profile: hotelmind_warehouse
macro-paths: ['{macros}']
on-run-start: ["{{{{ create_state_tables() }}}}"]
flags: {{send_anonymous_usage_stats: false}}
"""


def write_project(
    directory: Path, *, source: str, tables: Sequence[Mapping[str, Any]], models: Mapping[str, str]
) -> None:
    """The sources' YAML, bronze models by name, and a profile of `warehouse.duckdb`."""
    output = {"type": "duckdb", "path": str(directory / "warehouse.duckdb"), "schema": "hotelmind_warehouse"}
    files = {
        "dbt_project.yml": _PROJECT.format(macros=REPOSITORY / "macros"),
        "profiles.yml": json.dumps({"hotelmind_warehouse": {"target": "duckdb", "outputs": {"duckdb": output}}}),
        f"models/_{source}__sources.yml": json.dumps({"sources": [{"name": source, "tables": tables}]}),
        **{f"models/{name}.sql": text for name, text in models.items()},
    }
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def measure(title: str, command: Sequence[str], directory: Path, environment: Mapping[str, str]) -> None:
    """Run one process and print what it took; its own peak memory, since the system accounts for each child."""
    program = Path(sys.executable).with_name(command[0])
    started = time.monotonic()
    process = subprocess.Popen(  # noqa: S603
        [program, *command[1:]],
        cwd=directory,
        env={**os.environ, "DBT_PROFILES_DIR": str(directory), **environment},
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    if status:
        raise SystemExit(f"{title}: exit status {status}")
    processor = usage.ru_utime + usage.ru_stime
    print(f"{title}  {seconds:6.2f} s  {processor:6.2f} s cpu  {usage.ru_maxrss / 1024:6.0f} MiB", flush=True)

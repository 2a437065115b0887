"""python -m bench.contacts: the rolling-window load of two CSV files, as whole processes."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from demo.sandbox import Sandbox

_REPOSITORY = Path(__file__).parents[1]
_PROJECT = """
name: hotelmind_warehouse
profile: hotelmind_warehouse
macro-paths: ['{macros}']
on-run-start: ["{{{{ create_state_tables() }}}}"]
flags: {{send_anonymous_usage_stats: false}}
"""
_MODEL = """
{{ config(materialized='bronze_merge', schema='bronze') }}
select * from {{ landed('gladly', 'contacts') }}
"""


def main() -> int:
    """Load day 1, then day 2, into a fresh warehouse; print what each process took."""
    parser = argparse.ArgumentParser(prog="python -m bench.contacts", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="one CSV file a day, in order")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        _write_project(Path(directory))
        for number, path in enumerate(options.files, 1):
            sandbox = Sandbox(
                today=date(2026, 1, 31), requests_per_minute=None, row_cap=None, extra_reports={"BenchContacts": path}
            )
            with sandbox:
                user, token = sandbox.credentials
                environment = {
                    **os.environ,
                    "DBT_PROFILES_DIR": directory,
                    "GLADLY_URL": sandbox.url,
                    "GLADLY_USER": user,
                    "GLADLY_API_TOKEN": token,
                    "GLADLY_REQUESTS_PER_MINUTE": "0",
                }
                load = ["python", "-m", "loaders.gladly", "--end-date", f"2026-01-{29 + number}", "--quiet"]
                _run(f"day {number} loader", load, directory, environment)
                _run(f"day {number} dbt   ", ["dbt", "--quiet", "build"], directory, environment)
    return 0


def _write_project(directory: Path) -> None:
    meta = {"metric_set": "BenchContacts", "window": "rolling", "record_key": ["contact_id"]}
    table = {"name": "contacts", "config": {"meta": meta}}
    output = {"type": "duckdb", "path": "warehouse.duckdb", "schema": "hotelmind_warehouse"}
    files = {
        "dbt_project.yml": _PROJECT.format(macros=_REPOSITORY / "macros"),
        "profiles.yml": json.dumps({"hotelmind_warehouse": {"target": "duckdb", "outputs": {"duckdb": output}}}),
        "models/_gladly__sources.yml": json.dumps({"sources": [{"name": "gladly", "tables": [table]}]}),
        "models/bronze_contacts.sql": _MODEL,
    }
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def _run(title: str, command: Sequence[str], directory: str, environment: Mapping[str, str]) -> None:
    """One process; its own peak memory, since the operating system accounts for each child."""
    program = Path(sys.executable).with_name(command[0])
    started = time.monotonic()
    process = subprocess.Popen([program, *command[1:]], cwd=directory, env=dict(environment))  # noqa: S603
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    if status:
        raise SystemExit(f"{title}: exit status {status}")
    processor = usage.ru_utime + usage.ru_stime
    print(f"{title}  {seconds:6.2f} s  {processor:6.2f} s cpu  {usage.ru_maxrss / 1024:6.0f} MiB", flush=True)


if __name__ == "__main__":
    sys.exit(main())

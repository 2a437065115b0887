"""python -m bench.contacts: the rolling-window load of two CSV files, as whole processes."""

from __future__ import annotations

import argparse
import sys
import tempfile
from datetime import date
from pathlib import Path

from bench.scratch import measure, write_project
from demo.sandbox import Sandbox

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
        meta = {"metric_set": "BenchContacts", "window": "rolling", "record_key": ["contact_id"]}
        write_project(
            Path(directory),
            source="gladly",
            tables=[{"name": "contacts", "config": {"meta": meta}}],
            models={"bronze_contacts": _MODEL},
        )
        for number, path in enumerate(options.files, 1):
            sandbox = Sandbox(
                today=date(2026, 1, 31), requests_per_minute=None, row_cap=None, extra_reports={"BenchContacts": path}
            )
            with sandbox:
                user, token = sandbox.credentials
                environment = {
                    "GLADLY_URL": sandbox.url,
                    "GLADLY_USER": user,
                    "GLADLY_API_TOKEN": token,
                    "GLADLY_REQUESTS_PER_MINUTE": "0",
                }
                load = ["python", "-m", "loaders.gladly", "--end-date", f"2026-01-{29 + number}", "--quiet"]
                measure(f"day {number} loader", load, Path(directory), environment)
                measure(f"day {number} dbt   ", ["dbt", "--quiet", "build"], Path(directory), environment)
    return 0


if __name__ == "__main__":
    sys.exit(main())

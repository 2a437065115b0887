"""python -m loaders.status: watermarks and batches, as the state tables hold them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from loaders.command_line import DONE, add_target_arguments, run
from loaders.settings import load_target, project_directory
from loaders.stage import open_stage

# How many of a source's last batches are shown; the ledger itself holds all.
_SHOWN = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Show how far every source table has come, what is pending, and why."""
    parser = argparse.ArgumentParser(
        prog="python -m loaders.status",
        description="Show watermarks, and landed, loaded, superseded and rejected batches. Reads the warehouse only.",
    )
    add_target_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of tables")
    options = parser.parse_args(arguments)
    return run(lambda: _show(options))


def _show(options: argparse.Namespace) -> int:
    stage = open_stage(load_target(project_directory(), target=options.target, profiles_dir=options.profiles_dir))
    with stage.open_ledger() as ledger:
        watermarks = ledger.watermarks() if ledger.exists() else []
        batches = ledger.batches(_SHOWN) if ledger.exists() else []
    if options.json:
        print(json.dumps({"watermarks": watermarks, "batches": batches}, default=str, ensure_ascii=False))
    else:
        _print("Watermarks (etl_watermarks)", watermarks)
        _print(f"Pending batches, and the last {_SHOWN} others of each source (etl_batches)", batches)
    return DONE


def _print(title: str, rows: list[dict[str, Any]]) -> None:
    if not rows:
        print(f"{title}: none yet")
        return
    table = Table(*rows[0], title=title, title_justify="left")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row.values()))
    console = Console()
    # Lines are never cut: what is read here is copied into other commands.
    console.print(table, soft_wrap=True) if console.is_terminal else Console(width=400).print(table)


if __name__ == "__main__":
    sys.exit(main())

"""python -m loaders.status: watermarks and batches, as the state tables hold them; reject and replay."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from rich.console import Console
from rich.table import Table

from loaders.command_line import DONE, add_target_arguments, run
from loaders.settings import load_target, project_directory
from loaders.sources import declared_tables
from loaders.stage import Stage, open_stage
from loaders.status.decision import reject, replay
from loaders.status.report import SHOWN, read_status

_TITLES = {
    "sources": "Source tables: watermark, how far behind now it is, and the last load",
    "models": "Incremental models: the newest row they hold, and their last load",
    "pending": "Pending batches; one with a reason was refused",
    "rejected": "Rejected batches",
    "loaded": f"The last {SHOWN} loaded batches of each source table",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Show how far every source table has come; or take a decision about one batch."""
    parser = argparse.ArgumentParser(
        prog="python -m loaders.status",
        description="Show how far every source table has come, and which batches are pending, refused or rejected. "
        "Without a command it only reads the warehouse.",
        epilog="reject SOURCE BATCH_ID [--reason TEXT]; replay SOURCE BATCH_ID [--attempt PIPELINE_RUN_ID]",
    )
    add_target_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of tables")
    parser.set_defaults(command=_show)
    commands = parser.add_subparsers(metavar="COMMAND")
    rejecting = _add_command(commands, "reject", "set a pending batch aside, so that those behind it load")
    rejecting.add_argument("--reason", default="rejected by hand", metavar="TEXT", help="why; stands in the ledger")
    rejecting.set_defaults(command=_reject)
    replaying = _add_command(commands, "replay", "land the stored rows of a batch once more, for the next build")
    replaying.add_argument(
        "--attempt", default=None, metavar="PIPELINE_RUN_ID", help="this attempt, not the one that was read last"
    )
    replaying.set_defaults(command=_replay)
    options = parser.parse_args(arguments)
    return run(lambda: options.command(_open(options), options))


def _add_command(commands: Any, name: str, text: str) -> argparse.ArgumentParser:
    # What is not given here must not overwrite what was given before the command.
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=f"{text[0].upper()}{text[1:]}.", argument_default=argparse.SUPPRESS
    )
    add_target_arguments(parser)
    parser.add_argument("source", metavar="SOURCE", help="source table, such as gladly.contact_export")
    parser.add_argument("batch_id", metavar="BATCH_ID", help="as `python -m loaders.status` shows it")
    return parser


def _open(options: argparse.Namespace) -> Stage:
    return open_stage(load_target(project_directory(), target=options.target, profiles_dir=options.profiles_dir))


def _show(stage: Stage, options: argparse.Namespace) -> int:
    declared = [str(one) for one in declared_tables(project_directory())]
    with stage.open_ledger() as ledger:
        status = read_status(ledger, declared, datetime.now(UTC))
    if options.json:
        print(json.dumps(status, default=str, ensure_ascii=False))
    else:
        for name, rows in status.items():
            _print(_TITLES[name], rows)
    return DONE


def _reject(stage: Stage, options: argparse.Namespace) -> int:
    with stage.write_ledger() as ledger:
        rejected = reject(ledger, options.source, options.batch_id, reason=options.reason)
    for one in rejected:
        print(f"{one}: rejected; what was read later loads without it")
    return DONE


def _replay(stage: Stage, options: argparse.Namespace) -> int:
    with stage.write_ledger() as ledger:
        replayed = replay(stage, ledger, options.source, options.batch_id, pipeline_run_id=options.attempt)
    for one in replayed:
        print(f"{one}: landed again; `dbt build` loads it")
    return DONE


def _print(title: str, rows: list[dict[str, Any]]) -> None:
    if not rows:
        print(f"{title}: none")
        return
    table = Table(*(name.removesuffix("_seconds") for name in rows[0]), title=title, title_justify="left")
    for row in rows:
        table.add_row(*(_text(name, value) for name, value in row.items()))
    console = Console()
    # Lines are never cut: what is read here is copied into other commands.
    console.print(table, soft_wrap=True) if console.is_terminal else Console(width=400).print(table)


def _text(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S}"
    if name.endswith("_seconds"):
        return str(timedelta(seconds=value // 60 * 60)).removesuffix(":00")
    return str(value)


if __name__ == "__main__":
    sys.exit(main())

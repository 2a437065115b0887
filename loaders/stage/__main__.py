"""python -m loaders.stage: what is done with stored batches once they are loaded."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from loaders.command_line import DONE, add_target_arguments, run
from loaders.settings import load_target, project_directory
from loaders.stage import open_stage
from loaders.stage.prune import prune

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prune the stage."""
    parser = argparse.ArgumentParser(
        prog="python -m loaders.stage",
        description="Look after the stage.",
        epilog="prune [--target TARGET] [--profiles-dir DIR] --older-than AGE [--dry-run]",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    pruning = commands.add_parser(
        "prune",
        help="remove the stored rows of old batches that are loaded, superseded or rejected",
        description="Remove the stored rows of batches that are loaded, superseded or rejected, and older than AGE; "
        "never of pending ones. Their ledger rows stay. Then sweep what killed processes left, once it is older than a "
        "day.",
    )
    add_target_arguments(pruning)
    pruning.add_argument("--older-than", type=_age, required=True, metavar="AGE", help="such as 14d, 36h or 2w")
    pruning.add_argument("--dry-run", action="store_true", help="say what would be removed, and remove nothing")
    options = parser.parse_args(arguments)
    return run(lambda: _prune(options))


def _prune(options: argparse.Namespace) -> int:
    stage = open_stage(load_target(project_directory(), target=options.target, profiles_dir=options.profiles_dir))
    before = datetime.now(UTC) - options.older_than
    verb = "would be removed" if options.dry_run else "removed"
    count = size = 0
    with stage.open_ledger() if options.dry_run else stage.write_ledger() as ledger:
        if ledger.exists():
            for one in prune(stage, ledger, before=before, dry_run=options.dry_run):
                count, size = count + one.batch_count, size + one.byte_count
                print(f"{one} {verb}", flush=True)
            for name in stage.sweep(ledger.locations(), dry_run=options.dry_run):
                print(f"{name}: left by a killed process, {verb}")
    print(f"{count} stored batches {verb} ({size / 1e6:,.1f} MB)")
    return DONE


def _age(text: str) -> timedelta:
    match = re.fullmatch(r"(\d{1,4})([hdw])", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is not an age such as 14d, 36h or 2w")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


if __name__ == "__main__":
    sys.exit(main())

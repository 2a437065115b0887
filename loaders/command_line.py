"""What the loaders' command lines share: arguments, lines for people and machines, exit codes."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import duckdb
import psycopg2
import pyarrow as pa
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from loaders.batch import Batch
from loaders.errors import LoaderError, SettingsError

DONE, FAILED, WRONG_ARGUMENTS = 0, 1, 2


def make_parser(name: str, description: str) -> argparse.ArgumentParser:
    """A parser with the arguments that every loader has."""
    parser = argparse.ArgumentParser(prog=f"python -m loaders.{name}", description=description)
    add_target_arguments(parser)
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="load this source table alone; may be repeated"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be asked for, and write nothing")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of lines")
    return parser


def add_target_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that choose the warehouse, as dbt has them."""
    parser.add_argument("--target", help="target of the dbt profile (default: the profile's own, as dbt chooses it)")
    parser.add_argument(
        "--profiles-dir", metavar="DIR", help="folder of profiles.yml (default: dbt's own search order)"
    )


def run(command: Callable[[], int]) -> int:
    """The exit code of a command; an error that we raised is one line, anything else a traceback."""
    try:
        return command()
    except SettingsError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG_ARGUMENTS
    except LoaderError as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("error: interrupted; what has landed stays, the next run goes on from there", file=sys.stderr)
        return FAILED


@contextmanager
def failing_alone(subject: str) -> Iterator[None]:
    """Makes a LoaderError of what the system or a library raises for one source table, so that the others go on."""
    try:
        yield
    except (OSError, ValueError, OverflowError, psycopg2.Error, duckdb.Error, pa.ArrowException) as error:
        problem = " ".join(str(error).split()) or type(error).__name__
        raise LoaderError(f"{subject}: {type(error).__name__}: {problem}") from error


@dataclass
class Output:
    """Progress on a terminal, one plain line a batch elsewhere, one document under --json."""

    quiet: bool = False
    as_json: bool = False
    planned: list[dict[str, Any]] = field(default_factory=list)
    batches: list[dict[str, Any]] = field(default_factory=list)
    failures: list[dict[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def note(self, line: str) -> None:
        """A line that is neither an error nor about one batch."""
        self.notes.append(line)
        self._print(line)

    def plan(self, source_table: object, batch_id: str | None, what: str) -> None:
        """What a dry run would do; no batch id where the source alone knows it."""
        self.planned.append({"source_table": str(source_table), "batch_id": batch_id, "plan": what})
        self._print(f"{source_table} {batch_id}: {what}" if batch_id else f"{source_table}: {what}")

    @contextmanager
    def working_on(self, subject: str) -> Iterator[None]:
        """A spinner with the time, where somebody is looking."""
        if self.quiet or self.as_json or not sys.stdout.isatty():
            yield
            return
        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(*columns, console=Console(), transient=True) as progress:
            progress.add_task(subject)
            yield

    def landed(self, batch: Batch, started: float) -> None:
        """A batch is in the stage; `started` is the monotonic time its reading began."""
        seconds = time.monotonic() - started
        self.batches.append({**batch.ledger_row(), "seconds": round(seconds, 3)})
        self._print(
            f"{batch.source_table} {batch.batch_id}: {batch.row_count:,} rows landed"
            f" ({batch.byte_count / 1e3:,.0f} kB, {seconds:.1f} s)"
        )

    def failed(self, subject: str, error: LoaderError) -> None:
        """One source table failed; the others go on."""
        self.failures.append({"source_table": subject, "error": str(error)})
        print(f"error: {error}", file=sys.stderr, flush=True)

    def close(self) -> int:
        """The exit code, after the document that --json asks for."""
        if self.as_json:
            document = {name: getattr(self, name) for name in ("planned", "batches", "failures", "notes")}
            print(json.dumps(document, default=str, ensure_ascii=False))
        return FAILED if self.failures else DONE

    def _print(self, line: str) -> None:
        if not self.quiet and not self.as_json:
            print(line, flush=True)

"""python -m loaders.operational: the changed rows of the declared tables, into the stage."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from datetime import timedelta

from loaders.batch import make_pipeline_run_id
from loaders.command_line import Output, failing_alone, make_parser, run
from loaders.errors import LoaderError
from loaders.operational.database import Bound, connect, connection_settings, read_bound
from loaders.operational.extract import extract
from loaders.operational.table import OPTIONS
from loaders.settings import load_target, project_directory, read_environment
from loaders.sources import read_sources
from loaders.stage import open_stage

_LONG_OPEN = timedelta(hours=1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Extract every declared table; one table's failure stops no other, and makes the exit code 1."""
    parser = make_parser(
        "operational",
        "Extract the rows of the hotel database that changed since their watermark, one batch a table, into the stage. "
        "Reads OPERATIONAL_DATABASE_URL (postgresql://user:password@host:port/database) from the environment.",
    )
    options = parser.parse_args(arguments)
    return run(lambda: _load(options))


def _load(options: argparse.Namespace) -> int:
    output = Output(quiet=options.quiet, as_json=options.json)
    project = project_directory()
    sources = read_sources(project, "operational", OPTIONS, only=options.only)
    stage = open_stage(load_target(project, target=options.target, profiles_dir=options.profiles_dir))
    settings = connection_settings(*read_environment(["OPERATIONAL_DATABASE_URL"]))
    run_id = make_pipeline_run_id()
    if not options.dry_run:
        for adopted in stage.adopt():
            output.note(f"{adopted.source_table} {adopted.batch_id}: found whole in the stage, entered in the ledger")
    for number, source in enumerate(sources):
        started = time.monotonic()
        try:
            # A connection a table: what one table's failure leaves behind is gone with it.
            connection = connect(settings)
            try:
                bound = read_bound(connection)
                if number == 0:
                    _explain(bound, output)
                with output.working_on(str(source)), failing_alone(str(source)):
                    batch = extract(
                        connection, source, stage, bound=bound, pipeline_run_id=run_id, dry_run=options.dry_run
                    )
            finally:
                connection.close()
        except LoaderError as error:
            output.failed(str(source), error)
            continue
        if options.dry_run:
            output.plan(source, batch.batch_id, f"{batch.row_count} rows would be landed")
        else:
            output.landed(batch, started)
    return output.close()


def _explain(bound: Bound, output: Output) -> None:
    if not bound.is_exact:
        output.note(
            "operational: open transactions cannot be seen here (a standby, or a role outside pg_read_all_stats);"
            " the overlap alone protects rows that are committed late"
        )
    elif bound.age > _LONG_OPEN:
        output.note(
            f"operational: warning: {bound.holder} has been open for {bound.age}; rows are extracted, watermarks wait"
            " at its start"
        )


if __name__ == "__main__":
    sys.exit(main())

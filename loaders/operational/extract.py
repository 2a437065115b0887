"""Extraction of one table's changed rows as one batch."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.csv
from psycopg2 import sql

from loaders.batch import Batch, moment_text
from loaders.csv_blocks import CsvBlocks
from loaders.errors import SourceError
from loaders.operational.database import Bound, snapshot
from loaders.operational.table import Table, describe_table
from loaders.sources import SourceTable
from loaders.stage import Stage

# A row must fit into it; it is also what is held in memory a few times over.
_BLOCK_BYTES = 32 << 20


def extract(
    connection: Any, source: SourceTable, stage: Stage, *, bound: Bound, pipeline_run_id: str, dry_run: bool = False
) -> Batch:
    """Land the rows of one table that changed since its watermark; under `dry_run` only measure them.

    Reads from the watermark, or from the end of an unbroken chain of pending batches that starts at it. All is read in
    one snapshot, later than `bound`.
    """
    low = stage.progress(str(source)).chain_end() if source.meta.get("cursor") else None
    extracted_at = datetime.now(UTC)
    with snapshot(connection, str(source)) as cursor:
        table = describe_table(source, cursor)
        cursor.execute(table.measures(low, bound.moment))
        count, without_cursor, highest = cursor.fetchone()
        if without_cursor and source.meta.get("null_cursor", "refuse") == "refuse":
            raise SourceError(
                f"{source}: {without_cursor} rows have no {source.meta['cursor']}; set it in the source, or set"
                f" `null_cursor: load` in {source.path.name} to load such rows on every run"
            )
        batch = replace(_batch(table, low, highest, extracted_at), pipeline_run_id=pipeline_run_id, row_count=count)
        if dry_run:
            return batch
        return stage.land(replace(batch, row_count=0), _chunks(cursor, table, low, count))


def _batch(table: Table, low: datetime | None, highest: datetime | None, extracted_at: datetime) -> Batch:
    high: datetime | None
    if table.cursor is None:
        high = extracted_at
        batch_id = moment_text(extracted_at)
    else:
        known = [moment for moment in (low, highest) if moment is not None]
        high = max(known) if known else None
        batch_id = f"{moment_text(low)}..{moment_text(high)}"
    return Batch(
        source_table=str(table.source),
        batch_id=batch_id,
        pipeline_run_id="",
        extracted_at=extracted_at,
        columns=table.columns,
        low=low,
        high=high,
    )


def _chunks(cursor: Any, table: Table, low: datetime | None, count: int) -> Iterator[pa.RecordBatch]:
    """The rows as text, in chunks; fails unless they are as many as the same snapshot counted."""
    read = 0
    if count:
        with _copy_out(cursor, table.rows(low), table.source) as stream:
            for chunk in _parse(stream, list(table.columns)):
                read += chunk.num_rows
                yield chunk
    if read != count:
        raise SourceError(f"{table.source}: {read} rows read of {count}; run again, and report this as a bug")


def _parse(stream: BinaryIO, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """PostgreSQL's CSV: NULL is an unquoted empty field, the empty string a quoted one."""
    yield from pyarrow.csv.open_csv(
        CsvBlocks(stream),
        # The header is skipped, not left out: pyarrow takes a U+FEFF from the first value of a body.
        read_options=pyarrow.csv.ReadOptions(column_names=columns, skip_rows=1, block_size=_BLOCK_BYTES),
        # A table of one column writes a NULL as an empty line.
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        convert_options=pyarrow.csv.ConvertOptions(
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            null_values=[""],
            default_column_type=pa.string(),
        ),
    )


@contextmanager
def _copy_out(cursor: Any, query: sql.Composable, subject: object) -> Iterator[BinaryIO]:
    """The output of COPY as a stream: a thread receives while the caller parses, and memory holds a pipe's worth."""
    statement = sql.SQL("copy ({}) to stdout with (format csv, header)").format(query)
    read_end, write_end = os.pipe()
    failures: list[BaseException] = []

    def receive() -> None:
        try:
            with os.fdopen(write_end, "wb") as sink:
                cursor.copy_expert(statement, sink, 1 << 20)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=receive, name="copy", daemon=True)
    thread.start()
    unparsable: pa.ArrowInvalid | None = None
    with os.fdopen(read_end, "rb") as stream:
        try:
            yield stream
        except pa.ArrowInvalid as error:
            unparsable = error
    # A caller that gave up has closed the pipe by now, which ends the copy.
    thread.join()
    # The server's own error says more than what its half-sent output could not be parsed for.
    if failures and not (unparsable and isinstance(failures[0], BrokenPipeError)):
        raise failures[0]
    if unparsable:
        problem = f"a row is longer than {_BLOCK_BYTES >> 20} MiB" if "straddling" in str(unparsable) else unparsable
        raise SourceError(f"{subject}: {problem}; leave the table out, or have the source corrected") from unparsable

"""One window of one report, or one whole list, from Gladly into the stage."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime

import pyarrow as pa

from loaders.batch import Batch, day_moment
from loaders.gladly.client import GladlyClient
from loaders.gladly.extract import download
from loaders.gladly.json_list import read_list
from loaders.gladly.report_csv import Report
from loaders.gladly.sources import batch_id, required_columns
from loaders.gladly.window import ONE_DAY, Window
from loaders.sources import SourceTable
from loaders.stage import Stage


def load_window(
    client: GladlyClient, stage: Stage, report: SourceTable, window: Window, *, is_first: bool, pipeline_run_id: str
) -> Batch:
    """Land one window as one batch; nothing is stored unless all of it came whole.

    `is_first` says that nothing of the report is loaded or pending yet, so that the batch begins where it begins.
    """
    extracted_at = datetime.now(UTC)
    with ExitStack() as bodies:
        reports = download(
            client,
            metric_set=report.meta["metric_set"],
            window=window,
            timezone=report.meta.get("timezone", "UTC"),
            row_cap=report.meta.get("row_cap"),
            subject=str(report),
            required=required_columns(report),
            columns=report.column_map,
            open_body=lambda: bodies.enter_context(tempfile.TemporaryFile()),
        )
        batch = Batch(
            source_table=str(report),
            batch_id=batch_id(report, window, extracted_at),
            pipeline_run_id=pipeline_run_id,
            extracted_at=extracted_at,
            columns=next((one.columns for one in reports if one.columns), {}),
            low=None if is_first else day_moment(window.start - ONE_DAY),
            high=day_moment(window.end),
            window_start=window.start,
            window_end=window.end,
        )
        return stage.land(batch, _chunks(reports, list(batch.columns)))


def load_list(client: GladlyClient, stage: Stage, source: SourceTable, *, pipeline_run_id: str) -> Batch:
    """Land one whole list as one batch, named by the moment it was asked for."""
    extracted_at = datetime.now(UTC)
    with tempfile.TemporaryFile() as body:
        client.whole_list(path=source.meta["list"], into=body, subject=str(source))
        found = read_list(body, subject=str(source), columns=source.column_map, required=required_columns(source))
    batch = Batch(
        source_table=str(source),
        batch_id=batch_id(source, None, extracted_at),
        pipeline_run_id=pipeline_run_id,
        extracted_at=extracted_at,
        columns=found.columns,
        high=extracted_at,
    )
    return stage.land(batch, [found.batch()] if found.records else [])


def _chunks(reports: Sequence[Report], columns: list[str]) -> Iterator[pa.RecordBatch]:
    """The records of all parts; their columns are the same but may stand in another order."""
    for report in reports:
        for chunk in report.batches():
            yield chunk.select(columns)

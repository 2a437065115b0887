"""Nightly export files: every completed job that has not landed yet, one batch of raw JSON lines each."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import BinaryIO

import pyarrow as pa

from loaders.batch import Batch
from loaders.errors import SourceError, SourceGoneError
from loaders.gladly.client import GladlyClient
from loaders.gladly.json_list import parse_json
from loaders.names import LINE
from loaders.sources import SourceTable
from loaders.stage import Stage

_CHUNK_BYTES = 8 << 20


@dataclass(frozen=True, order=True)
class ExportJob:
    """A completed job; jobs sort by when Gladly finished them, compared as moments."""

    updated_at: datetime
    job_id: str
    files: Collection[str] = field(compare=False)


def due_jobs(client: GladlyClient, source: SourceTable, landed: Collection[str]) -> list[ExportJob]:
    """The completed jobs that are not in `landed`, oldest first; SourceError for a list that is none."""
    with tempfile.TemporaryFile() as body:
        client.whole_list(path="export/jobs", into=body, subject=str(source))
        found = parse_json(body, subject=str(source))
    try:
        jobs = [
            ExportJob(datetime.fromisoformat(one["updatedAt"]), one["id"], one.get("files") or ())
            for one in found
            if one["status"] == "COMPLETED"
        ]
    except (TypeError, KeyError, ValueError) as error:
        raise SourceError(f"{source}: the list of export jobs has another shape: {error!r}; ask again") from error
    return sorted(job for job in jobs if job.job_id not in landed)


def landed_jobs(stage: Stage, source: SourceTable) -> set[str]:
    """The jobs that have a row in the ledger, whatever became of them."""
    with stage.open_ledger() as ledger:
        attempts = ledger.attempts() if ledger.exists() else []
    return {one.batch_id for one in attempts if one.source_table == str(source)}


def load_job(client: GladlyClient, stage: Stage, source: SourceTable, job: ExportJob, *, pipeline_run_id: str) -> Batch:
    """Land the source's file of one job; a job without it is a batch of zero rows.

    A job that is gone for good becomes a rejected batch, so that the next one can go on; it is returned like any other.
    """
    extracted_at = datetime.now(UTC)
    name = source.meta["file"]
    batch = Batch(
        source_table=str(source),
        batch_id=job.job_id,
        pipeline_run_id=pipeline_run_id,
        extracted_at=extracted_at,
        columns={LINE: name},
        high=extracted_at,
    )
    with tempfile.TemporaryFile() as body:
        if name in job.files:
            try:
                client.export_file(job_id=job.job_id, name=name, into=body, subject=f"{source} {job.job_id}")
            except SourceGoneError as error:
                return _reject(stage, batch, str(error))
        return stage.land(batch, lines_of(body, f"{source} {job.job_id}"))


def _reject(stage: Stage, batch: Batch, reason: str) -> Batch:
    with stage.write_ledger() as ledger:
        entered = ledger.insert(batch, lambda: datetime.now(UTC))
        (attempt,) = [
            one
            for one in ledger.attempts()
            if one.pipeline_run_id == batch.pipeline_run_id
            and (one.source_table, one.batch_id) == (batch.source_table, batch.batch_id)
        ]
        ledger.reject(attempt, reason)
        return entered


def lines_of(body: BinaryIO, subject: str) -> Iterator[pa.RecordBatch]:
    """Every line as it came, but for its line end; blank ones too, so that a record's number is its line's."""
    body.seek(0)
    number = 0
    while lines := body.readlines(_CHUNK_BYTES):
        texts = []
        for line in lines:
            number += 1
            try:
                text = line.decode().rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise SourceError(f"{subject}: line {number} is not UTF-8: {error.reason}; ask again") from error
            if "\0" in text:
                raise SourceError(f"{subject}: line {number} holds U+0000, which no warehouse can keep")
            texts.append(text)
        yield pa.record_batch({LINE: pa.array(texts, pa.string())})

"""One batch as one Parquet file: all text, whole or not there, carrying its own ledger row."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from loaders.batch import Batch
from loaders.names import RECORD_NUMBER

_FOOTER_KEY = b"hotelmind_batch"
# A row group is held in memory while it is written; this bounds it, whatever the width of a row.
_ROW_GROUP_BYTES = 64 << 20


def write_batch(directory: Path, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch:
    """Write `chunks` as the batch's file in `directory` and return the batch with what is now known of it.

    Chunks have the batch's columns, by name, all text. The file appears by one rename after it was flushed; a failure
    before leaves nothing.
    """
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{batch.physical_name}.parquet"
    hidden = directory / f".{batch.physical_name}.{os.getpid()}"
    try:
        batch = _write(hidden, batch, chunks)
        with hidden.open("rb") as file:
            os.fsync(file.fileno())
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = hidden.stat().st_size
        hidden.rename(path)
    finally:
        hidden.unlink(missing_ok=True)
    _flush_directory(directory)
    return replace(batch, location=f"{directory.name}/{path.name}", byte_count=size, sha256=digest)


def read_batch(path: Path) -> Batch:
    """The batch that a file says it is."""
    metadata = pq.read_metadata(path).metadata
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    batch = Batch.from_json(metadata[_FOOTER_KEY].decode())
    location = f"{path.parent.name}/{path.name}"
    return replace(batch, location=location, byte_count=path.stat().st_size, sha256=digest)


def _write(path: Path, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch:
    schema = pa.schema([*((name, pa.string()) for name in batch.columns), (RECORD_NUMBER, pa.int64())])
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd", compression_level=1) as writer:
        for group in _row_groups(chunks):
            numbers = pa.array(range(count + 1, count + 1 + group.num_rows), pa.int64())
            columns = [*(group.column(name) for name in batch.columns), numbers]
            writer.write_table(pa.table(columns, schema=schema))
            count += group.num_rows
        batch = replace(batch, row_count=count)
        writer.add_key_value_metadata({_FOOTER_KEY: batch.to_json().encode()})
    return batch


def _row_groups(chunks: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    held: list[pa.RecordBatch] = []
    size = 0
    for chunk in chunks:
        held.append(chunk)
        size += chunk.nbytes
        if size >= _ROW_GROUP_BYTES:
            yield pa.Table.from_batches(held)
            held, size = [], 0
    if held:
        yield pa.Table.from_batches(held)


def _flush_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""One batch as one Parquet file: all text, whole or not there, carrying its own ledger row."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from loaders.batch import Batch
from loaders.names import RECORD_NUMBER

_FOOTER_KEY = b"hotelmind_batch"
# A row group is held in memory while it is written; this bounds it, whatever the width of a row.
_ROW_GROUP_BYTES = 64 << 20
_COMPRESSION = {"compression": "zstd", "compression_level": 1}


def write_batch(directory: Path, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch:
    """Write `chunks` as the batch's file in `directory` and return the batch with what is now known of it.

    Chunks have the batch's columns, by name, all text. The file appears by one rename after it was flushed; a failure
    before leaves nothing.
    """
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{batch.physical_name}.parquet"
    with _published(path) as hidden:
        batch = _write(hidden, batch, chunks)
    size, digest = file_facts(path)
    return replace(batch, location=f"{directory.name}/{path.name}", byte_count=size, sha256=digest)


def is_batch(path: Path) -> bool:
    """Whether a file is one that a loader of ours wrote, whole."""
    try:
        return _FOOTER_KEY in (pq.read_metadata(path).metadata or {})
    except pa.ArrowInvalid:
        return False


def read_batch(path: Path) -> Batch:
    """The batch that a file says it is."""
    metadata = pq.read_metadata(path).metadata
    size, digest = file_facts(path)
    batch = Batch.from_json(metadata[_FOOTER_KEY].decode())
    return replace(batch, location=f"{path.parent.name}/{path.name}", byte_count=size, sha256=digest)


def file_facts(path: Path) -> tuple[int, str]:
    """Size and SHA-256 of a file."""
    with path.open("rb") as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()


def rewrite_batch(path: Path, change: Callable[[pa.Table], pa.Table]) -> int:
    """Rewrite the rows of a batch's file by `change`, its own ledger row with it; returns how many rows it has now.

    The one exception to a batch never changing: a person is erased. The file is the one before or the one after.
    """
    count = 0
    with pq.ParquetFile(path) as file, _published(path) as hidden:
        footer = file.metadata.metadata.get(_FOOTER_KEY)
        with pq.ParquetWriter(hidden, file.schema_arrow.remove_metadata(), **_COMPRESSION) as writer:
            for group in _row_groups(file.iter_batches()):
                changed = change(group)
                writer.write_table(changed)
                count += changed.num_rows
            if footer:
                batch = replace(Batch.from_json(footer.decode()), row_count=count)
                writer.add_key_value_metadata({_FOOTER_KEY: batch.to_json().encode()})
        hidden.chmod(path.stat().st_mode)
    return count


@contextmanager
def _published(path: Path) -> Iterator[Path]:
    """A hidden file that becomes `path` by one rename once it is on the disk; a failure before leaves nothing."""
    hidden = path.with_name(f".{path.stem}.{os.getpid()}")
    try:
        yield hidden
        _flush(hidden)
        hidden.rename(path)
    finally:
        hidden.unlink(missing_ok=True)
    _flush(path.parent)


def _write(path: Path, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch:
    schema = pa.schema([*((name, pa.string()) for name in batch.columns), (RECORD_NUMBER, pa.int64())])
    count = 0
    with pq.ParquetWriter(path, schema, **_COMPRESSION) as writer:
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


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

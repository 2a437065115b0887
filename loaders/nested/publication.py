"""Objects to a generation: written chunk by chunk, checked as a whole, published by one rename."""

from __future__ import annotations

import shutil
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from loaders.errors import SettingsError
from loaders.nested.chunks import walk_objects
from loaders.nested.formats import FORMATS
from loaders.nested.generation import (
    MANIFEST,
    Generation,
    TableFile,
    file_sha256,
    flush,
    hidden_name,
    open_generation,
    seal,
    write_sidecar,
    write_text,
)
from loaders.nested.json_lines import JsonLines, Objects, as_input
from loaders.nested.options import NestedOptions
from loaders.nested.package import table_facts
from loaders.nested.parquet import ParquetFiles
from loaders.nested.quality import judge
from loaders.nested.registry import Registry
from loaders.nested.walk import Walk
from loaders.nested.witness import Witness

# A hidden directory in which nothing was written for so long belongs to a process that was killed.
_ABANDONED = timedelta(days=1)
_LONGEST_PREFIX = 40


def spill(
    objects: Iterable[Mapping[str, Any]] | JsonLines,
    directory: Path,
    options: NestedOptions,
    *,
    registry: Registry | None = None,
    file_format: str = "parquet",
    clock: Callable[[], float] = time.time,
) -> Generation | None:
    """Publish the generation of `objects` in `directory`, or None where there was no object.

    It is there whole, under a name of its own, or not at all; nothing else in `directory` changes but that hidden
    directories of killed processes go once they are a day old. Memory is bounded by a chunk and the longest object.
    `registry` holds the names of earlier runs and is not changed. RefusedError for what cannot be kept exactly.
    """
    if file_format not in FORMATS:
        raise SettingsError(f"format is {file_format!r}, expected one of: {', '.join(FORMATS)}")
    directory.mkdir(parents=True, exist_ok=True)
    flush(directory.parent)
    _sweep(directory, clock())
    walk = Walk(options, registry.copy() if registry else Registry())
    name = f"{options.root_table[:_LONGEST_PREFIX]}_{uuid.uuid4().hex[:12]}"
    with _staging(directory / hidden_name(name)) as hidden:
        if not _write(as_input(objects), walk, hidden, directory / name, file_format):
            return None
        flush(hidden)
        hidden.rename(directory / name)
    flush(directory)
    return open_generation(directory / name)


def _write(source: JsonLines | Objects, walk: Walk, hidden: Path, published: Path, file_format: str) -> bool:
    """Write and check everything; false where there was no object."""
    with TemporaryFile(dir=hidden) as remembered, _parquet_files(hidden) as files:
        witness = Witness(walk.options.verify, remembered)
        count = walk_objects(source, walk, store=files.store, look=witness.look)
        if not count:
            return False
        tables = {}
        for facts in map(table_facts, walk.tables):
            path = files.finish(facts.name, facts.all_columns)
            tables[facts.name] = TableFile(facts, path, path.with_suffix(".json"), "parquet", 0, "")
        checks = judge(tables, walk.options, directory=hidden)
        tables = {name: _finish(table, file_format) for name, table in tables.items()}
        checks = (*checks, witness.compare(tables.values()))
    generation = Generation(
        directory=published,
        root_table=walk.options.root_table,
        tables=tables,
        bindings=tuple(walk.plan.registry.bindings()),
        checks=checks,
        record_count=count,
        blank_count=source.blank_count,
    )
    write_text(hidden / MANIFEST, generation.manifest_text())
    return True


def _finish(table: TableFile, file_format: str) -> TableFile:
    """The table's file in the format that was asked for, on the disk and read-only, with its sidecar."""
    path = table.file.with_suffix(f".{file_format}")
    if path != table.file:
        rows = (row for batch in table.batches() for row in batch.to_pylist())
        FORMATS[file_format].write(path, table.facts, rows)
        table.file.unlink()
    seal(path)
    write_sidecar(table.sidecar, table.facts)
    return TableFile(table.facts, path, table.sidecar, file_format, path.stat().st_size, file_sha256(path))


@contextmanager
def _parquet_files(directory: Path) -> Iterator[ParquetFiles]:
    files = ParquetFiles(directory)
    try:
        yield files
    finally:
        files.close()


@contextmanager
def _staging(hidden: Path) -> Iterator[Path]:
    """A directory that is gone afterwards, unless it was renamed."""
    hidden.mkdir()
    try:
        yield hidden
    finally:
        if hidden.exists():
            shutil.rmtree(hidden)


def _sweep(directory: Path, now: float) -> None:
    for hidden in directory.glob(hidden_name("*")):
        try:
            newest = max(path.stat().st_mtime for path in [hidden, *hidden.rglob("*")])
        except OSError:
            continue  # another process is at work there, or sweeps it too
        if now - newest > _ABANDONED.total_seconds():
            shutil.rmtree(hidden, ignore_errors=True)

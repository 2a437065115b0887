"""Files that are rewritten as a whole: a generation's manifest, and the database itself."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from loaders.nested.generation import MANIFEST
from loaders.stage.duckdb import DuckDBStage
from loaders.stage.parquet import read_batch

# Longer than opening a file takes: who opened the file that is replaced must find it locked, not lose what they write.
_SETTLING_SECONDS = 0.2


def source_table_of(path: Path) -> str | None:
    """The source table that a batch's file itself names; None where it names none."""
    with suppress(KeyError):
        return read_batch(path).source_table
    return None


def amend_manifest(path: Path, *, row_count: int, byte_count: int, sha256: str) -> None:
    """Bring the manifest of the generation that a file belongs to, and its sidecar, to what the file is now."""
    manifest = path.with_name(MANIFEST)
    if not manifest.is_file():
        return
    document = json.loads(manifest.read_text("utf-8"))
    entry = next(one for one in document["tables"] if one["file"] == path.name)
    if entry["sha256"] == sha256:
        return
    entry.update(row_count=row_count, byte_count=byte_count, sha256=sha256)
    if entry["parent"] is None:
        document["record_count"] = row_count
    sidecar = path.with_name(entry["sidecar"])
    _replace(sidecar, {**json.loads(sidecar.read_text("utf-8")), "row_count": row_count})
    _replace(manifest, document)


def copy_database(stage: DuckDBStage, *, sleep: Callable[[float], None] = time.sleep) -> None:
    """Put a copy of the database in its place, at once: only what is in its tables is in the copy's bytes.

    It needs as much room again. Nobody writes meanwhile, or loses what they wrote: the file is locked until the copy
    has taken its name.
    """
    path = stage.path.resolve()
    hidden = path.with_name(f".{path.name}.{os.getpid()}")
    for killed in path.parent.glob(f".{path.name}.*"):
        killed.unlink()
    try:
        with duckdb.connect() as connection:
            connection.execute("set enable_progress_bar = false")
            stage.wait_for(lambda: connection.execute(f"attach {_quoted(path)} as original (read_only)"))
            connection.execute(f"attach {_quoted(hidden)} as fresh")
            connection.execute("copy from database original to fresh")
            connection.execute("detach fresh")
            shutil.copymode(path, hidden)
            _flush(hidden)
            hidden.rename(path)
            _flush(path.parent)
            sleep(_SETTLING_SECONDS)
    finally:
        hidden.unlink(missing_ok=True)


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _replace(path: Path, document: object) -> None:
    hidden = path.with_name(f".{path.name}.{os.getpid()}")
    hidden.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    shutil.copymode(path, hidden)
    _flush(hidden)
    hidden.rename(path)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

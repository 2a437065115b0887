"""The stage's folder: batches as files, generations as folders, and under hidden names what is half written."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from datetime import timedelta
from pathlib import Path

# What was left alone for so long belongs to a process that was killed.
_ABANDONED = timedelta(days=1)
_MANIFEST = "manifest.json"


def leftovers(directory: Path, known: Collection[str], now: float) -> Iterator[Path]:
    """What killed processes left: hidden names, and generations of which the ledger knows no batch."""
    parts = {part for location in known for part in Path(location).parts}
    for path in sorted(directory.iterdir()) if directory.is_dir() else ():
        is_unknown = (path / _MANIFEST).is_file() and path.name not in parts
        if (path.name.startswith(".") or is_unknown) and now - _changed_at(path) > _ABANDONED.total_seconds():
            yield path


def remove(path: Path) -> None:
    """Take away a file, or a generation as it came: whole, by one rename."""
    if not path.is_dir():
        path.unlink(missing_ok=True)
        return
    hidden = path if path.name.startswith(".") else path.with_name(f".{path.name}.removed")
    path.rename(hidden)
    shutil.rmtree(hidden, ignore_errors=True)


def _changed_at(path: Path) -> float:
    """When anything in it was last written; now, where another process is at work there or sweeps it too."""
    try:
        return max(one.stat().st_mtime for one in [path, *path.rglob("*")])
    except OSError:
        return float("inf")

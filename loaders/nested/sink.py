"""Where a package goes: a warehouse's stage, behind three calls."""

from __future__ import annotations

from typing import Protocol

from loaders.nested.errors import SinkError
from loaders.nested.generation import Generation
from loaders.nested.package import Package, StoredTable

# Stable: callers may tell refusals apart by it.
INCOMPLETE_SINK = "NESTED_SINK_INCOMPLETE"
_CALLS = ("stage", "finalize", "abort")


class Sink(Protocol):
    """What takes the tables of a package.

    `stage` brings one table where it will be, seen by nobody yet. `finalize` shows all of them at once: one
    transaction with their rows in the ledger. `abort` takes back what was staged and never raises for what was not.
    """

    def stage(self, table: StoredTable) -> None: ...

    def finalize(self) -> None: ...

    def abort(self) -> None: ...


def deliver(package: Package | Generation, sink: Sink) -> None:
    """Stage every table, children before parents and the root last, then finalize; abort on any failure before its end.

    SinkError, before anything is staged, for a sink that lacks one of the three calls.
    """
    missing = [name for name in _CALLS if not callable(getattr(sink, name, None))]
    if missing:
        raise SinkError(INCOMPLETE_SINK, f"{type(sink).__name__} has no {', '.join(missing)}; nothing was staged")
    try:
        tables: list[StoredTable] = list(package.tables.values())
        for table in reversed(tables):
            sink.stage(table)
        sink.finalize()
    except BaseException:
        sink.abort()
        raise

"""What making a package needs of an engine; one module an engine keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from loaders.batch import Batch
from loaders.ledger import Connection
from loaders.nested import TableFile

# The number of a line, and its text.
Line = tuple[int, str]
Begin = Callable[[], None]


class Workplace(Protocol):
    """The stage as seen from dbt's own connection.

    `lines` yields the stored lines of a raw batch; StageError where they are gone. `directory` is where a generation is
    written. `store` brings a table of it to where its batch will be, seen by nobody yet, and returns the batch with its
    location; it calls `begin` first where it works within the package's transaction. `discard` takes back what was
    stored outside of it.
    """

    connection: Connection
    state_schema: str

    def lines(self, raw: Batch) -> AbstractContextManager[Iterator[Line]]: ...

    def directory(self) -> AbstractContextManager[Path]: ...

    def store(self, batch: Batch, table: TableFile, begin: Begin) -> Batch: ...

    def discard(self, batches: list[Batch]) -> None: ...

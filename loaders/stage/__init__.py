"""The stage: batches stored whole and unchanged, or not at all. One module an engine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from typing import Protocol

import pyarrow as pa

from loaders.batch import Batch
from loaders.errors import SettingsError
from loaders.ledger import Ledger, Progress
from loaders.settings import Target
from loaders.stage.duckdb import DuckDBStage
from loaders.stage.postgres import PostgresStage
from loaders.stage.snowflake import SnowflakeStage


class Stage(Protocol):
    """What a loader needs of the warehouse, and who looks after it.

    `write_ledger` is one transaction, and only one is open at a time: what is decided in it holds when it commits.
    `remove` takes stored rows away, all of them or none; `sweep` what killed processes left, and names it.
    """

    def open_ledger(self) -> AbstractContextManager[Ledger]: ...

    def write_ledger(self) -> AbstractContextManager[Ledger]: ...

    def progress(self, source_table: str) -> Progress: ...

    def land(self, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch: ...

    def adopt(self) -> list[Batch]: ...

    def held(self, locations: Iterable[str]) -> set[str]: ...

    def remove(self, locations: Iterable[str]) -> None: ...

    def sweep(self, known: Collection[str], *, dry_run: bool = False) -> list[str]: ...


_ENGINES: dict[str, Callable[[Target], Stage]] = {
    "duckdb": DuckDBStage,
    "postgres": PostgresStage,
    "snowflake": SnowflakeStage,
}


def open_stage(target: Target) -> Stage:
    """The stage of the target's engine."""
    engine = _ENGINES.get(target.type)
    if engine is None:
        raise SettingsError(
            f"target {target.name!r} has type {target.type!r}; the loaders know: {', '.join(sorted(_ENGINES))}"
        )
    return engine(target)

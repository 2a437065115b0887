"""The stage: batches stored whole and unchanged, or not at all. One module an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Protocol

import pyarrow as pa

from loaders.batch import Batch
from loaders.errors import SettingsError
from loaders.ledger import Ledger, Progress
from loaders.settings import Target
from loaders.stage.duckdb import DuckDBStage
from loaders.stage.postgres import PostgresStage


class Stage(Protocol):
    """What a loader needs of the warehouse."""

    def open_ledger(self) -> AbstractContextManager[Ledger]: ...

    def progress(self, source_table: str) -> Progress: ...

    def land(self, batch: Batch, chunks: Iterable[pa.RecordBatch]) -> Batch: ...

    def adopt(self) -> list[Batch]: ...


_ENGINES: dict[str, Callable[[Target], Stage]] = {"duckdb": DuckDBStage, "postgres": PostgresStage}


def open_stage(target: Target) -> Stage:
    """The stage of the target's engine."""
    engine = _ENGINES.get(target.type)
    if engine is None:
        raise SettingsError(
            f"target {target.name!r} has type {target.type!r}; the loaders know: {', '.join(sorted(_ENGINES))}"
        )
    return engine(target)

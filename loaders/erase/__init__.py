"""Erasing a person: their rows, and what other rows say of them, from everything that the warehouse keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from loaders.erase.declaration import Declaration
from loaders.erase.duckdb import DuckDBEraser
from loaders.erase.postgres import PostgresEraser
from loaders.erase.relation import Relation
from loaders.erase.search import Finding
from loaders.errors import SettingsError
from loaders.settings import Target


class Eraser(Protocol):
    """What an engine does of it. `query`, `relations` and `erase` want it opened, `rewrite` wants it closed.

    `erase` is one transaction. `rewrite` leaves nothing of what was deleted in what the engine keeps on the disk, and
    returns what stands in the way of that.
    """

    def opened(self) -> AbstractContextManager[None]: ...

    def query(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]: ...

    def relations(self) -> list[Relation]: ...

    def erase(self, finding: Finding) -> None: ...

    def rewrite(self) -> list[str]: ...


_ENGINES: dict[str, Callable[[Target, Declaration], Eraser]] = {"duckdb": DuckDBEraser, "postgres": PostgresEraser}


def open_eraser(target: Target, declaration: Declaration) -> Eraser:
    """The eraser of the target's engine."""
    engine = _ENGINES.get(target.type)
    if engine is None:
        raise SettingsError(
            f"target {target.name!r} has type {target.type!r}; people are erased from: {', '.join(sorted(_ENGINES))}"
        )
    return engine(target, declaration)

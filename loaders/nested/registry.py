"""Which source path every name of a table and of a column stands for, in this run and in every later one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from loaders.nested.errors import RefusedError
from loaders.nested.naming import TABLE_PATH_COLUMN, TECHNICAL_COLUMNS


@dataclass(frozen=True, order=True)
class Binding:
    """A table, or one of its columns, and the source path it stands for; the root's path is ''."""

    table: str
    column: str | None
    path: str


class Registry:
    """Bindings by name. A name that was bound once refuses any second path, and both are named."""

    def __init__(self) -> None:
        self._paths: dict[tuple[str, str | None], str] = {}

    @classmethod
    def from_bindings(cls, bindings: Iterable[Binding]) -> Registry:
        """A registry that knows the names of earlier runs."""
        registry = cls()
        for binding in bindings:
            registry.bind(binding.table, binding.column, binding.path)
        return registry

    @classmethod
    def from_columns(cls, tables: Iterable[tuple[str, Mapping[str, str]]]) -> Registry:
        """A registry of what the ledger keeps: tables, each with its columns and their source paths.

        A table may come any number of times, once for each batch it had.
        """
        registry = cls()
        for table, columns in tables:
            for column, path in columns.items():
                if column == TABLE_PATH_COLUMN:
                    registry.bind(table, None, path)
                elif column not in TECHNICAL_COLUMNS:
                    registry.bind(table, column, path)
        return registry

    def bind(self, table: str, column: str | None, path: str) -> None:
        """Bind a name to a path; RefusedError where it stands for another one already."""
        name = (table.lower(), column.lower() if column is not None else None)
        bound = self._paths.setdefault(name, path)
        if bound != path:
            what, option = (
                (f"column {column!r} of table {table!r}", "columns") if column else (f"table {table!r}", "tables")
            )
            raise RefusedError(
                f"would be {what}, which stands for path {bound or '(the root)'}; name one of them under `{option}:`",
                path=path or "(the root)",
            )

    def columns(self, table: str) -> dict[str, str]:
        """The columns a table ever had, each with its path."""
        return {column: path for (owner, column), path in self._paths.items() if owner == table and column}

    def bindings(self) -> list[Binding]:
        """All of it, for `from_bindings` in the next run."""
        return [Binding(table, column, path) for (table, column), path in self._paths.items()]

    def copy(self) -> Registry:
        return Registry.from_bindings(self.bindings())

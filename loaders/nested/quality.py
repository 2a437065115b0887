"""Checks of a whole package before anything is published: every row is told apart, and every child has its parent."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import duckdb

from loaders.nested.errors import RefusedError
from loaders.nested.formats import sql_text
from loaders.nested.naming import PARENT_ROW_ID, ROOT_ROW_ID, ROW_ID
from loaders.nested.options import NestedOptions
from loaders.nested.package import FAILED, NOT_EVALUATED, PASSED, WARNED, StoredTable, TableFacts, Verdict

_VERDICTS = {"fail": FAILED, "warn": WARNED}
_SHOWN = 3
_MEMORY = "128MB"
_FOLDER = "sorting"


def judge(
    tables: Mapping[str, StoredTable], options: NestedOptions, *, directory: Path | None = None
) -> tuple[Verdict, ...]:
    """The verdict of every check; RefusedError that names all that failed.

    What does not fit into memory goes to `directory`. Two roots with one key, and a row without an id, always fail.
    """
    with _engine(directory) as connection:
        for name, table in tables.items():
            _show(connection, name, table)
        verdicts = [one for table in tables.values() for one in _judge_table(connection, table.facts, tables, options)]
    failed = [one for one in verdicts if one.verdict == FAILED]
    if failed:
        raise RefusedError("; ".join(one.detail for one in failed), path=str(tables[str(failed[0].table)].facts.path))
    return tuple(verdicts)


def _judge_table(
    connection: duckdb.DuckDBPyConnection,
    table: TableFacts,
    tables: Mapping[str, StoredTable],
    options: NestedOptions,
) -> Iterator[Verdict]:
    yield _row_ids(connection, table)
    if table.parent is None:
        yield _duplicates(connection, table, "fail")
    else:
        yield _duplicates(connection, table, options.duplicates)
        # Under one root: a root's own row has no column for it.
        root = ROOT_ROW_ID if tables[table.parent].facts.parent else ROW_ID
        yield _orphans(connection, table, options.orphans, root=root)


def _row_ids(connection: duckdb.DuckDBPyConnection, table: TableFacts) -> Verdict:
    found = connection.execute(f'select count(*) from "{table.name}" where {ROW_ID} is null').fetchall()
    missing = int(found[0][0])
    detail = f"{missing} rows of table {table.name!r} have no row id" if missing else ""
    return Verdict("row ids", FAILED if missing else PASSED, table.name, missing, detail)


def _duplicates(connection: duckdb.DuckDBPyConnection, table: TableFacts, policy: str) -> Verdict:
    if policy == "skip":
        return Verdict("duplicates", NOT_EVALUATED, table.name)
    found = connection.execute(
        f'select {ROW_ID}, min(record_number), max(record_number), count(*) over () from "{table.name}"'
        f" where {ROW_ID} is not null group by {ROW_ID} having count(*) > 1 order by 2 limit {_SHOWN}"
    ).fetchall()
    if not found:
        return Verdict("duplicates", PASSED, table.name)
    shown = ", ".join(f"{first} and {last}" for _, first, last, _ in found)
    what = ("root keys", "records") if table.parent is None else (f"row ids of table {table.name!r}", "its rows")
    detail = f"{found[0][3]} {what[0]} come more than once: {what[1]} {shown}"
    return Verdict("duplicates", _VERDICTS[policy], table.name, found[0][3], detail)


def _orphans(connection: duckdb.DuckDBPyConnection, table: TableFacts, policy: str, *, root: str) -> Verdict:
    if policy == "skip":
        return Verdict("orphans", NOT_EVALUATED, table.name)
    found = connection.execute(
        f'select child.record_number, count(*) over () from "{table.name}" as child'
        f' anti join "{table.parent}" as parent'
        f" on child.{PARENT_ROW_ID} = parent.{ROW_ID} and child.{ROOT_ROW_ID} = parent.{root}"
        f" order by 1 limit {_SHOWN}"
    ).fetchall()
    if not found:
        return Verdict("orphans", PASSED, table.name)
    shown = ", ".join(str(number) for number, _ in found)
    detail = f"{found[0][1]} rows of table {table.name!r} have no parent in {table.parent!r}: its rows {shown}"
    return Verdict("orphans", _VERDICTS[policy], table.name, found[0][1], detail)


def _show(connection: duckdb.DuckDBPyConnection, name: str, table: StoredTable) -> None:
    relation = table.relation()
    if isinstance(relation, Path):
        connection.execute(f'create temp view "{name}" as select * from read_parquet({sql_text(relation)})')
    else:
        connection.register(name, relation)


@contextmanager
def _engine(directory: Path | None) -> Iterator[duckdb.DuckDBPyConnection]:
    if directory is None:
        with _memory_engine().cursor() as connection:
            yield connection
        return
    with duckdb.connect(":memory:") as connection:
        connection.execute("set threads = 1")
        connection.execute(f"set memory_limit = '{_MEMORY}'")
        connection.execute(f"set temp_directory = {sql_text(directory / _FOLDER)}")
        yield connection
    shutil.rmtree(directory / _FOLDER, ignore_errors=True)


@cache
def _memory_engine() -> duckdb.DuckDBPyConnection:
    """One for all packages in memory: to start it costs more than to judge a small package."""
    connection = duckdb.connect(":memory:")
    connection.execute("set threads = 1")
    return connection

"""Python that test_run_python.py has a macro call."""

from __future__ import annotations

from typing import Any


def count_tables(handle: Any, *, schema: str) -> int:
    """A question to the database that the model is built in."""
    cursor = handle.cursor()
    cursor.execute(f"select count(*) from information_schema.tables where lower(table_schema) = '{schema}'")
    return int(cursor.fetchone()[0])


def fail(handle: Any) -> None:
    """An error, as Python raises it."""
    raise ValueError(f"a {type(handle).__name__} cannot be normalized")

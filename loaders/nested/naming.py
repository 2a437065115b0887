"""Names of tables and columns, made from source paths or given by the options."""

from __future__ import annotations

import re

from loaders.names import LOAD_COLUMNS, LONGEST_NAME, RECORD_NUMBER, RESERVED_WORDS, column_name
from loaders.nested.errors import RefusedError
from loaders.nested.path import Step

ROW_ID, PARENT_ROW_ID, ROOT_ROW_ID = "row_id", "parent_row_id", "root_row_id"
LIST_INDEX, JSON_KINDS = "list_index", "json_kinds"
ROOT_COLUMNS = (ROW_ID,)
CHILD_COLUMNS = (ROW_ID, PARENT_ROW_ID, ROOT_ROW_ID, LIST_INDEX)
# What every table of a package may have beside the source's own fields.
TECHNICAL_COLUMNS = frozenset({*CHILD_COLUMNS, JSON_KINDS, RECORD_NUMBER})
# In the ledger this column's source is the path of the table itself.
TABLE_PATH_COLUMN = ROW_ID
# The element of a list itself, where it is no mapping.
ELEMENT = "value"
SEPARATOR = "__"

_SAFE = re.compile(r"[a-z_][a-z0-9_]*")


def name_problem(name: object) -> str | None:
    """Why `name` may be no name of a table."""
    if not isinstance(name, str) or not _SAFE.fullmatch(name):
        return f"{name!r} is not a lower-case name of a-z, 0-9 and _"
    if len(name) > LONGEST_NAME:
        return f"{name!r} has {len(name)} characters, {LONGEST_NAME} is the limit"
    return None


def column_problem(name: object) -> str | None:
    """Why `name` may be no name of a column."""
    if name in TECHNICAL_COLUMNS or name in LOAD_COLUMNS:
        return f"{name!r} is a column that every load sets itself"
    if name in RESERVED_WORDS:
        return f"{name!r} is a word that engines keep for themselves"
    return name_problem(name)


def generated_table(parent: str, step: Step, path: str) -> str:
    """The name of a child table: its parent's name, the separator, the field."""
    name = f"{parent}{SEPARATOR}{_folded(step, path, 'tables').strip('_')}"
    if name_problem(name):
        raise RefusedError(f"{name_problem(name)}; name it, or a table above it, under `tables:`", path=path)
    return name


def generated_column(step: Step, path: str) -> str:
    """The name of a column."""
    name = _folded(step, path, "columns")
    if column_problem(name):
        raise RefusedError(f"{column_problem(name)}; name it under `columns:`", path=path)
    return name


def _folded(step: Step, path: str, option: str) -> str:
    if step is None:
        return ELEMENT
    if not step.isascii():
        raise RefusedError(f"{step!r} is not ASCII and makes no name; name it under `{option}:`", path=path)
    name = column_name(step)
    if not name:
        raise RefusedError(f"{step!r} leaves no name; name it under `{option}:`", path=path)
    return name

"""COPY INTO a table from one staged Parquet file, in the one way that this project sends it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from tests.snowflake.stage_files import staged_path

if TYPE_CHECKING:
    from tests.snowflake.account import Session

# Every option changes what is loaded; another value, or one left out, is not imitated and raises.
_OPTIONS = {"MATCH_BY_COLUMN_NAME": "CASE_INSENSITIVE", "ON_ERROR": "ABORT_STATEMENT", "FORCE": "TRUE"}
_FILE_FORMAT = {"TYPE": "PARQUET", "NULL_IF": "()"}


def copy_into(session: Session, connection: Any, statement: exp.Copy) -> dict[str, Any]:
    """The one row of COPY's answer. Documented: a path that matches no file is no error, and loads nothing."""
    _check(statement)
    source = statement.args["files"][0].this
    path = staged_path(session, str(source.this))
    if not os.path.isfile(path):
        return {"status": "Copy executed with 0 files processed."}
    target = statement.this.sql(dialect="duckdb")
    columns = [row[0] for row in connection.execute(f"describe {target}").fetchall()]
    in_file = connection.execute(f"describe select * from read_parquet('{path}')").fetchall()
    by_name = {row[0].upper(): row[0] for row in in_file}
    # Documented: columns that only one side has are left out, and NULL in the table.
    common = [name for name in columns if name.upper() in by_name]
    names = ", ".join(f'"{name}"' for name in common)
    values = ", ".join(f'"{by_name[name.upper()]}"' for name in common)
    sql = f"insert into {target} ({names}) select {values} from read_parquet('{path}')"
    (count,) = connection.execute(sql).fetchone()
    return {
        "file": os.path.basename(path),
        "status": "LOADED",
        "rows_parsed": count,
        "rows_loaded": count,
        "error_limit": 1,
        "errors_seen": 0,
    }


def _check(statement: exp.Copy) -> None:
    given = {one.this.name.upper(): one for one in statement.args.get("params") or []}
    file_format = given.pop("FILE_FORMAT", None)
    options = {name: _text(one.expression) for name, one in given.items()}
    in_file_format = file_format.expressions if file_format else ()
    formats = {one.this.name.upper(): _text(one.args["value"]) for one in in_file_format}
    if options != _OPTIONS or formats != _FILE_FORMAT or not isinstance(statement.args["files"][0].this, exp.Var):
        raise NotImplementedError(f"COPY with {options} and FILE_FORMAT {formats}")


def _text(value: exp.Expression | None) -> str:
    return "" if value is None else value.sql(dialect="snowflake", comments=False).strip("'").upper()

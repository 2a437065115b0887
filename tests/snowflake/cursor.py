"""A statement on the stand-in: fakesnow's cursor, with the rules of Snowflake that it lacks."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
from fakesnow import transforms
from fakesnow.cursor import FakeSnowflakeCursor
from snowflake.connector.errors import Error, ProgrammingError
from sqlglot import exp

from tests.snowflake import temporary_tables
from tests.snowflake.copying import copy_into
from tests.snowflake.expressions import repaired
from tests.snowflake.merging import merge
from tests.snowflake.stage_files import forget_schema, list_or_remove

if TYPE_CHECKING:
    from tests.snowflake.account import Session

_ABORT = re.compile(r"\s*select\s+system\$abort_transaction\((\d+)\)\s*;?\s*", re.IGNORECASE)
_DROP_DATABASE = re.compile(r"\s*drop\s+database\s+(if\s+exists\s+)?(\w+)\s*;?\s*", re.IGNORECASE)
_SHOW_TRANSACTIONS = re.compile(r"\s*show\s+transactions\s*;?\s*", re.IGNORECASE)
_WRITES = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Copy, exp.TruncateTable)
_DONE = [{"status": "Statement executed successfully."}]


class Cursor(FakeSnowflakeCursor):  # type: ignore[misc]
    """Every repair answers a rule that Snowflake documents; what is not imitated raises."""

    _conn: Session

    def execute(self, command: str, params: Any = None, *arguments: Any, **options: Any) -> Cursor:
        session = self._conn
        session.account.interrupt(command)
        record = {"session": session.number, "application": session.application, "sql": command, "failed": False}
        session.account.statements.append(record)
        with session.lock:
            try:
                rows = self._own_answer(command)
                if rows is None:
                    super().execute(command, params, *arguments, **options)
                else:
                    self._answer(rows)
            except Exception as error:
                record["failed"] = True
                self._after_failure()
                raise _as_snowflake_says(error) from error
        return self

    def _own_answer(self, command: str) -> list[dict[str, Any]] | None:
        sessions = [one for one in self._conn.account.sessions if one.transaction]
        if _SHOW_TRANSACTIONS.fullmatch(command):
            return [
                {
                    "id": one.transaction,
                    "user": "somebody",
                    "session": one.number,
                    "name": "",
                    "started_on": one.began_at,
                    "state": "running",
                    "scope": 0,
                }
                for one in sessions
            ]
        abort = _ABORT.fullmatch(command)
        if abort:
            for one in sessions:
                if one.transaction == int(abort[1]):
                    with one.lock:
                        one.cursor()._end("rollback")
            return [{"aborted": f"Aborted transaction id: {abort[1]}"}]
        drop = _DROP_DATABASE.fullmatch(command)
        if drop:
            # DuckDB lets go of no database that the session is in.
            self._duck_conn.execute("use memory")
            self._duck_conn.execute(f"detach database {drop[1] or ''} {drop[2]}")
            return [{"status": f"{drop[2].upper()} successfully dropped."}]
        return list_or_remove(self._conn, command)

    def _transform_explode(self, expression: exp.Expression) -> list[exp.Expression]:
        # fakesnow makes a MERGE of several statements, which write to two databases, as no DuckDB transaction may.
        return [expression] if isinstance(expression, exp.Merge) else super()._transform_explode(expression)

    def _transform(self, expression: exp.Expression, params: Any) -> exp.Expression:
        expression = temporary_tables.rewrite(self._conn, expression).transform(repaired, copy=False)
        return super()._transform(_without_constraints(expression), params)

    def _execute(self, transformed: exp.Expression, params: Any = None) -> None:
        session = self._conn
        if isinstance(transformed, exp.Transaction):
            # Documented: BEGIN within a transaction is ignored.
            if session.transaction is None:
                self._duck_conn.execute("begin")
                session.transaction, session.began_at = next(session.account.numbers), datetime.now(UTC)
                session.has_written = False
            self._answer(_DONE)
        elif isinstance(transformed, (exp.Commit, exp.Rollback)):
            # Documented: either is ignored outside a transaction.
            if session.transaction is not None:
                self._end("commit" if isinstance(transformed, exp.Commit) else "rollback")
            self._answer(_DONE)
        else:
            if session.transaction is not None and _is_ddl(transformed):
                # Documented: DDL commits the open transaction first, and CREATE TEMPORARY TABLE is DDL.
                self._end("commit")
            self._run(transformed, params)
            session.has_written = session.has_written or isinstance(transformed, _WRITES)

    def _run(self, transformed: exp.Expression, params: Any) -> None:
        if isinstance(transformed, exp.Merge):
            counts = merge(self._duck_conn, transformed, params)
            self._answer([{f"number of rows {name}": count for name, count in counts.items()}])
            self._rowcount = sum(counts.values())
        elif isinstance(transformed, exp.Copy):
            self._answer([copy_into(self._conn, self._duck_conn, transformed)])
        elif isinstance(transformed, exp.Describe) and self._describes_temporary(transformed):
            sql = transforms.describe_table(transformed, "temp", "main").sql(dialect="duckdb")
            fs_columns = "_fs_information_schema._fs_columns"
            super()._execute(_parsed(sql.replace(fs_columns, f"_fs_global.{fs_columns}")))
        else:
            super()._execute(transformed, params)
            if isinstance(transformed, exp.Drop) and str(transformed.args.get("kind")).upper() == "SCHEMA":
                for schema in transformed.find_all(exp.Table):
                    forget_schema(self._conn, schema.catalog or self._conn.database, schema.db)

    def _describes_temporary(self, statement: exp.Describe) -> bool:
        table = statement.find(exp.Table)
        return bool(statement.args.get("kind") and table and table.name in self._conn.temporary.values())

    def _end(self, how: str) -> None:
        self._duck_conn.execute(how)
        self._conn.transaction = None

    def _after_failure(self) -> None:
        """Documented: a failed statement is undone and the transaction stays open. DuckDB aborts it.

        Beginning again is the same while nothing was written; after that, only ROLLBACK and the session's end are
        imitated, and everything else raises.
        """
        if self._conn.transaction is not None and not self._conn.has_written:
            self._duck_conn.execute("rollback")
            self._duck_conn.execute("begin")

    def _answer(self, rows: list[dict[str, Any]]) -> None:
        """The statement's result; of no rows, one without columns that matter."""
        self._arrow_table = pa.Table.from_pylist(rows or [{"status": None}]).slice(0, len(rows))
        self._arrow_table_fetch_index = None
        self._rowcount = len(rows)
        self._sfqid = str(uuid.uuid4())
        values = ", ".join(f'{_literal(value)} as "{name}"' for name, value in (rows or [{"status": None}])[0].items())
        # fakesnow describes the last statement to name the result's columns.
        self._last_sql, self._last_params, self._last_transformed = f"select {values}", None, exp.Select()
        answer = (self._arrow_table, self._rowcount, self._last_sql, None, self._last_transformed)
        self._conn.results_cache[self._sfqid] = answer


def _without_constraints(expression: exp.Expression) -> exp.Expression:
    """Documented: of a table's constraints only NOT NULL is enforced; CHECK and indexes are not known at all."""
    if isinstance(expression, exp.Create):
        if expression.find(exp.CheckColumnConstraint) or str(expression.args.get("kind")).upper() == "INDEX":
            raise NotImplementedError("CHECK and CREATE INDEX")
        for constraint in list(expression.find_all(exp.ColumnConstraint)):
            if isinstance(constraint.args.get("kind"), (exp.PrimaryKeyColumnConstraint, exp.UniqueColumnConstraint)):
                constraint.pop()
        for key in list(expression.find_all(exp.PrimaryKey, exp.ForeignKey)):
            (key.parent if isinstance(key.parent, exp.Constraint) else key).pop()
    return expression


def _is_ddl(statement: exp.Expression) -> bool:
    return isinstance(statement, (exp.Create, exp.Drop, exp.Alter, exp.Comment)) or any(
        statement.args.get(key) for key in ("create_stage_name", "create_file_format_name", "create_db_name")
    )


def _as_snowflake_says(error: Exception) -> Exception:
    """Anything but the connector's own errors would become HTTP 500, which the connector sends again for minutes."""
    if isinstance(error, Error):
        return error
    if isinstance(error, duckdb.ConstraintException) and "NOT NULL" in str(error):
        return ProgrammingError(msg=f"NULL result in a non-nullable column\n{error}", errno=100072, sqlstate="22000")
    return ProgrammingError(msg=f"{type(error).__name__}: {error}", errno=990001, sqlstate="58000")


def _parsed(sql: str) -> exp.Expression:
    import sqlglot  # noqa: PLC0415

    return sqlglot.parse_one(sql, read="duckdb")


def _literal(value: Any) -> str:
    if value is None:
        return "cast(null as varchar)"
    if isinstance(value, datetime):
        return f"cast('{value.isoformat()}' as timestamptz)"
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"

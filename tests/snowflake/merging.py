"""MERGE, by DuckDB's own, with Snowflake's rule for a row that two source rows match."""

from __future__ import annotations

from typing import Any

from snowflake.connector.errors import ProgrammingError
from sqlglot import exp

_ACTIONS = {"INSERT": "inserted", "UPDATE": "updated", "DELETE": "deleted"}


def merge(connection: Any, statement: exp.Merge, parameters: Any) -> dict[str, int]:
    """How many rows were inserted, updated and deleted, of those that the statement may.

    Documented (MERGE, duplicate join behavior): a target row that is updated from several source rows is an error, and
    nothing is changed.
    """
    cases, counts = [], {}
    for when in statement.args["whens"].expressions:
        then = when.args["then"]
        action = _action(then)
        counts[action] = 0
        if action == "inserted":
            continue
        condition = when.args.get("condition")
        cases.append(f"when {condition.sql(dialect='duckdb') if condition else 'true'} then '{action}'")
        for assignment in then.expressions if isinstance(then, exp.Update) else ():
            # DuckDB wants the bare column on the left.
            assignment.set("this", exp.column(assignment.this.this))
    if cases and connection.execute(_ambiguous(statement, " ".join(cases)), parameters).fetchone():
        raise ProgrammingError(
            msg="Duplicate row detected during DML action\nRow Values: [...]", errno=100090, sqlstate="42P18"
        )
    merged = connection.execute(statement.sql(dialect="duckdb") + " returning merge_action", parameters)
    for (action,) in merged.fetchall():
        counts[_ACTIONS[action]] += 1
    return {name: counts[name] for name in _ACTIONS.values() if name in counts}


def _action(then: exp.Expression) -> str:
    if isinstance(then, exp.Insert):
        return "inserted"
    return "updated" if isinstance(then, exp.Update) else "deleted"


def _ambiguous(statement: exp.Merge, cases: str) -> str:
    target, source, condition = statement.this, statement.args["using"], statement.args["on"]
    return f"""
        select 1
        from (
            select "{target.alias_or_name}".rowid as target_row, case {cases} end as action
            from {target.sql(dialect="duckdb")}
            join {source.sql(dialect="duckdb")} on {condition.sql(dialect="duckdb")}
        )
        where action is not null
        group by target_row
        having count(*) > 1 and count(*) filter (action = 'updated') > 0
        limit 1"""

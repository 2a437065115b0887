"""Temporary tables and views.

Documented: they lie in a database and schema, are seen by their session alone, and hide a permanent one of their name.
DuckDB's lie in none; so each gets one name there, and every later mention of it is rewritten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

if TYPE_CHECKING:
    from tests.snowflake.account import Session


def rewrite(session: Session, statement: exp.Expression) -> exp.Expression:
    """The statement with DuckDB's names for temporary relations; registers one that it makes, forgets one it drops."""
    if _makes_temporary(statement):
        target = statement.this.this if isinstance(statement.this, exp.Schema) else statement.this
        name = full_name(session, target)
        session.temporary[name] = "__".join(("temporary", *name))
    if not session.temporary:
        return statement
    for table in list(statement.find_all(exp.Table)):
        if isinstance(table.this, exp.Identifier) and full_name(session, table) in session.temporary:
            _rename(session, statement, table)
    return statement


def full_name(session: Session, table: exp.Table) -> tuple[str, str, str]:
    """Database, schema and name as Snowflake keeps them."""

    def name(part: exp.Identifier | None, default: str | None) -> str:
        if not part:
            return default or ""
        return str(part.this) if part.quoted else str(part.this).upper()

    database, schema = table.args.get("catalog"), table.args.get("db")
    return name(database, session.database), name(schema, session.schema), name(table.this, None)


def _rename(session: Session, statement: exp.Expression, table: exp.Table) -> None:
    name = full_name(session, table)
    stands_in_from = isinstance(table.parent, (exp.From, exp.Join, exp.Merge))
    if stands_in_from and not table.alias:
        table.set("alias", exp.TableAlias(this=exp.to_identifier(name[2], quoted=True)))
    table.set("this", exp.to_identifier(session.temporary[name], quoted=True))
    table.set("db", None)
    table.set("catalog", None)
    if isinstance(statement, exp.Drop):
        del session.temporary[name]


def _makes_temporary(statement: exp.Expression) -> bool:
    properties = statement.args.get("properties") if isinstance(statement, exp.Create) else None
    return any(isinstance(one, exp.TemporaryProperty) for one in (properties.expressions if properties else ()))

"""One table of the hotel database, as it is declared and as it is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from psycopg2 import sql

from loaders.errors import SourceError
from loaders.names import column_names
from loaders.sources import Option, SourceTable

OPTIONS = {
    "database_schema": Option(str),
    "cursor": Option((str, type(None))),
    "overlap_minutes": Option((int, float)),
    "timezone": Option(str),
    "null_cursor": Option(str, ("refuse", "load")),
}

_COLUMNS = """
select attname, format_type(atttypid, null), attnotnull
from pg_attribute
where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped
order by attnum
"""


@dataclass(frozen=True)
class Table:
    """What is asked of the database: which columns, ordered and bounded by which cursor."""

    source: SourceTable
    relation: sql.Composable
    # Column name in the warehouse -> the database's own.
    columns: Mapping[str, str]
    cursor: sql.Composable | None
    may_lack_cursor: bool

    @property
    def overlap(self) -> timedelta:
        return timedelta(minutes=self.source.meta.get("overlap_minutes", 10))

    def condition(self, low: datetime | None) -> sql.Composable:
        """The rows after `low`, those at its very edge and within the overlap again, and those without a cursor."""
        if self.cursor is None or low is None:
            return sql.SQL("true")
        after = sql.SQL("{} >= {}").format(self.cursor, sql.Literal(low - self.overlap))
        return sql.SQL("({} or {} is null)").format(after, self.cursor) if self.may_lack_cursor else after

    def rows(self, low: datetime | None) -> sql.Composable:
        """The query for the rows themselves, in ascending order of the cursor."""
        columns = sql.SQL(", ").join(sql.Identifier(name) for name in self.columns.values())
        keys = [sql.Identifier(self.columns[name]) for name in self.source.record_key]
        terms = [*([self.cursor] if self.cursor else []), *keys]
        order = sql.SQL(" order by {}").format(sql.SQL(", ").join(terms)) if terms else sql.SQL("")
        return sql.SQL("select {} from {} where {}{}").format(columns, self.relation, self.condition(low), order)

    def measures(self, low: datetime | None, bound: datetime) -> sql.Composable:
        """Of the same rows: their count, how many lack a cursor, and the highest cursor up to the bound."""
        if self.cursor is None:
            return sql.SQL("select count(*), 0, null::timestamptz from {}").format(self.relation)
        return sql.SQL(
            "select count(*), count(*) filter (where {cursor} is null),"
            " max({cursor}) filter (where {cursor} <= {bound}) from {relation} where {condition}"
        ).format(cursor=self.cursor, bound=sql.Literal(bound), relation=self.relation, condition=self.condition(low))


def describe_table(source: SourceTable, cursor: Any) -> Table:
    """The table as the database has it now; raises SourceError where it does not fit its declaration."""
    schema = source.meta.get("database_schema", "public")
    relation = sql.Identifier(schema, source.name)
    cursor.execute(_COLUMNS, [relation.as_string(cursor)])
    found = {name: (type_name, is_required) for name, type_name, is_required in cursor.fetchall()}
    if not found:
        raise SourceError(f"{source}: no table {schema}.{source.name} that this role can see; check {source.path.name}")
    names = {name: header for header, name in column_names(found, source.column_map).items()}
    missing = [name for name in source.record_key if name not in names]
    if missing:
        raise SourceError(f"{source}: no column {', '.join(missing)}, which record_key names in {source.path.name}")
    column = source.meta.get("cursor")
    if column is None:
        return Table(source, relation, names, None, False)
    if column not in names:
        raise SourceError(f"{source}: no column {column!r}; name its cursor in {source.path.name}, or `cursor: null`")
    type_name, is_required = found[names[column]]
    return Table(source, relation, names, _moment(source, names[column], type_name), not is_required)


def _moment(source: SourceTable, column: str, type_name: str) -> sql.Composable:
    """The cursor as a moment; a naive column is converted by the database, which knows the zone's history."""
    identifier = sql.Identifier(column)
    if type_name == "timestamp with time zone":
        return identifier
    if type_name != "timestamp without time zone":
        raise SourceError(f"{source}: cursor {column!r} is a {type_name}; expected a timestamp")
    zone = source.meta.get("timezone")
    if zone is None:
        raise SourceError(
            f"{source}: cursor {column!r} has no time zone; declare the one it is written in as `timezone:` in"
            f" {source.path.name}"
        )
    return sql.SQL("({} at time zone {})").format(identifier, sql.Literal(zone))

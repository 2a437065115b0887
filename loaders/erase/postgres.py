"""Erasing a person from a PostgreSQL warehouse: rows of all tables in one transaction, then those tables anew."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from psycopg2 import sql

from loaders.batch import Batch
from loaders.erase.declaration import TEXT, Declaration
from loaders.erase.relation import JSON, Relation, describe_relation
from loaders.erase.removal import remove, remove_from_reasons
from loaders.erase.search import Finding, Found
from loaders.settings import Target
from loaders.stage.postgres import ONE_AT_A_TIME, PostgresConnection, PostgresStage

_COLUMNS = """
select c.table_schema, c.table_name, c.column_name, c.data_type in ('text', 'character varying')
from information_schema.columns as c
inner join information_schema.tables as t using (table_schema, table_name)
where t.table_type = 'BASE TABLE' and c.table_schema = any($schemas)
order by 1, 2, c.ordinal_position
"""


class PostgresEraser:
    """All in one transaction; then the tables are written anew, without what was deleted in them."""

    def __init__(self, target: Target, declaration: Declaration) -> None:
        self._stage = PostgresStage(target)
        self._declaration = declaration
        self._ledger = f'"{target.schema_name("hotelmind_warehouse")}"."etl_batches"'
        self._driver: Any = None
        self._connection: Any = None
        self._personal: list[str] = []

    @contextmanager
    def opened(self) -> Iterator[None]:
        with self._stage.connect() as driver:
            self._driver, self._connection = driver, PostgresConnection(driver)
            yield
            self._driver = self._connection = None

    def query(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._connection.query(statement, parameters)
        return rows

    def relations(self) -> list[Relation]:
        columns: dict[str, dict[str, bool]] = {}
        for schema, table, column, is_text in self.query(_COLUMNS, {"schemas": list(self._declaration.schemas)}):
            columns.setdefault(f"{schema}.{table}", {})[column] = is_text
        known: dict[str, str] = {}
        if self.query("select to_regclass($ledger)", {"ledger": self._ledger})[0][0]:
            known = dict(self.query(f"select location, source_table from {self._ledger} where location is not null"))
        return [
            describe_relation(
                f"stage {known[name]}" if name in known else name,
                '"{}"."{}"'.format(*name.split(".")),
                found,
                self._declaration,
                source_table=known.get(name),
                location=name if name in known else None,
            )
            for name, found in columns.items()
        ]

    def erase(self, finding: Finding) -> None:
        with self._connection.transaction():
            self.query(ONE_AT_A_TIME)
            for one in finding.found:
                remove(self.query, one, finding.person)
                if one.relation.location and one.is_touched:
                    self._enter_facts(one.relation.location)
            remove_from_reasons(self.query, finding)
        self._personal = [one.relation.sql for one in finding.found if _may_be_personal(one)]

    def rewrite(self) -> list[str]:
        """Every table that may have had the person, so that a run that was killed is repeated; their statistics too."""
        with self.opened():
            for table in self._personal:
                self.query(f"vacuum (full, analyze) {table}")
            # The statistics that were sampled before lie there still; only the database's owner may write it anew.
            self.query("vacuum (full) pg_catalog.pg_statistic")
        return []

    def _enter_facts(self, location: str) -> None:
        """Bring the batch's ledger row, and its own copy of it, to what is stored now: the checksum is its CSV's."""
        stored = _Digest()
        table = sql.Identifier(*location.split("."))
        copy = sql.SQL("copy (select * from {} order by record_number) to stdout (format csv, force_quote *)")
        with self._driver.cursor() as cursor:
            cursor.copy_expert(copy.format(table), stored)
            cursor.execute(sql.SQL("select count(*), obj_description(%s::regclass) from {}").format(table), [location])
            count, comment = cursor.fetchone()
            batch = replace(
                Batch.from_json(comment),
                row_count=count,
                byte_count=stored.byte_count,
                sha256=stored.digest.hexdigest(),
            )
            cursor.execute(sql.SQL("comment on table {} is {}").format(table, sql.Literal(batch.to_json())))
        self.query(
            f"update {self._ledger} set row_count = $row_count, byte_count = $byte_count, sha256 = $sha256"
            " where location = $location",
            batch.ledger_row(),
        )


def _may_be_personal(found: Found) -> bool:
    return bool(found.condition.parameters or {TEXT, JSON} & set(found.relation.meanings.values()))


class _Digest:
    """What is written to it, as its size and SHA-256."""

    def __init__(self) -> None:
        self.byte_count = 0
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.byte_count += len(data)
        self.digest.update(data)
        return len(data)

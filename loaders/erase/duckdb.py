"""Erasing a person from a DuckDB warehouse: stored files and their checksums, tables, and the database file itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from loaders.erase.declaration import Declaration
from loaders.erase.person import REPLACEMENT
from loaders.erase.relation import Relation, describe_relation
from loaders.erase.removal import remove, remove_from_reasons
from loaders.erase.search import Finding, Found
from loaders.erase.stored_file import amend_manifest, copy_database, source_table_of
from loaders.errors import StageError
from loaders.names import RECORD_NUMBER
from loaders.settings import Target
from loaders.stage import folder
from loaders.stage.duckdb import DuckDBConnection, DuckDBStage
from loaders.stage.parquet import file_facts, rewrite_batch

_COLUMNS = """
select c.table_schema, c.table_name, c.column_name, c.data_type = 'VARCHAR'
from information_schema.columns as c
inner join information_schema.tables as t using (table_catalog, table_schema, table_name)
where t.table_catalog = current_database() and t.table_type = 'BASE TABLE' and c.table_schema = any($schemas)
order by 1, 2, c.ordinal_position
"""


class DuckDBEraser:
    """Files are rewritten one by one, each whole; then all tables in one transaction. A killed run is repeated."""

    def __init__(
        self, target: Target, declaration: Declaration, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._stage = DuckDBStage(target)
        self._declaration = declaration
        self._state = target.schema_name("hotelmind_warehouse")
        self._sleep = sleep
        self._connection: Any = None

    @contextmanager
    def opened(self) -> Iterator[None]:
        if not self._stage.path.exists():
            raise StageError(f"{self._stage.path}: there is no warehouse yet")
        with self._stage.connect() as connection:
            self._connection = DuckDBConnection(connection)
            yield
            self._connection = None

    def query(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._connection.query(sql, parameters)
        return rows

    def relations(self) -> list[Relation]:
        columns: dict[str, dict[str, bool]] = {}
        for schema, table, column, is_text in self.query(_COLUMNS, {"schemas": list(self._declaration.schemas)}):
            columns.setdefault(f"{schema}.{table}", {})[column] = is_text
        tables = [
            describe_relation(name, self._table(name), found, self._declaration) for name, found in columns.items()
        ]
        return [*self._files(), *tables]

    def erase(self, finding: Finding) -> None:
        self._stage.adopt()
        # What only belongs to the person goes first: it is found by what names them, also after a kill -9.
        files = [one for one in finding.found if one.relation.location]
        for one in sorted(
            files, key=lambda one: bool(set(one.relation.meanings.values()) & finding.person.values.keys())
        ):
            if one.is_touched:
                self._rewrite_file(one, finding)
        self.query("begin")
        for one in finding.found:
            if one.relation.location:
                self._enter_facts(one.relation.location)
            else:
                remove(self.query, one, finding.person)
        remove_from_reasons(self.query, finding)
        known = self._known()
        self.query("commit")
        # No normalizer is at work: it would have the database.
        for path in folder.leftovers(self._stage.directory, known, float("inf")):
            if path.is_dir():
                folder.remove(path)
        self._stage.sweep(known)

    def rewrite(self) -> list[str]:
        """A fresh file: the blocks that were freed in this one keep their bytes."""
        copy_database(self._stage, sleep=self._sleep)
        return [
            f"{self._stage.directory.name}/{path.name} is half written and cannot be searched; run the command again"
            " once no loader runs, or once it is a day old"
            for path in sorted(self._stage.directory.glob(".*"))
        ]

    def _files(self) -> Iterator[Relation]:
        known = self._known()
        for path in sorted(self._stage.directory.rglob("[!.]*.parquet")):
            place = path.relative_to(self._stage.directory)
            if any(part.startswith(".") for part in place.parts):
                continue
            location = f"{self._stage.directory.name}/{place}"
            schema = pq.read_schema(path)
            columns = {name: pa.types.is_string(schema.field(name).type) for name in schema.names}
            source_table = known.get(location) or source_table_of(path)
            quoted = str(path).replace("'", "''")
            name = f"{self._stage.directory.name} {source_table or place}"
            yield describe_relation(
                name,
                f"read_parquet('{quoted}')",
                columns,
                self._declaration,
                source_table=source_table,
                location=location,
            )

    def _known(self) -> dict[str, str]:
        """The source tables of the ledger, by location."""
        ledger = self._table(f"{self._state}.etl_batches")
        exists = "select 1 from information_schema.tables where table_schema = $schema and table_name = 'etl_batches'"
        if not self.query(exists, {"schema": self._state}):
            return {}
        return dict(self.query(f"select location, source_table from {ledger} where location is not null"))

    def _rewrite_file(self, found: Found, finding: Finding) -> None:
        sql = f"select {RECORD_NUMBER} from {found.relation.sql} where {found.condition.sql}"
        gone = pa.array([number for (number,) in self.query(sql, found.condition.parameters)], pa.int64())
        path = self._path(str(found.relation.location))

        def change(rows: pa.Table) -> pa.Table:
            rows = rows.filter(pc.invert(pc.is_in(rows[RECORD_NUMBER], gone)))
            for column in found.mentions:
                text = rows[column]
                # Twice: the one character between two mentions belongs to the first.
                for one in finding.person.mentions() * 2:
                    text = pc.replace_substring_regex(text, one.pattern, REPLACEMENT)
                rows = rows.set_column(rows.schema.get_field_index(column), rows.schema.field(column), text)
            return rows

        rewrite_batch(path, change)

    def _enter_facts(self, location: str) -> None:
        """Bring the ledger, and a generation's manifest, to what the file is; also one that a killed run left."""
        path = self._path(location)
        size, digest = file_facts(path)
        facts = {"rows": pq.read_metadata(path).num_rows, "bytes": size, "digest": digest, "location": location}
        self.query(
            f"update {self._table(f'{self._state}.etl_batches')} set row_count = $rows, byte_count = $bytes,"
            " sha256 = $digest where location = $location and sha256 is distinct from $digest",
            facts,
        )
        amend_manifest(path, row_count=facts["rows"], byte_count=size, sha256=digest)

    def _path(self, location: str) -> Path:
        return self._stage.path.parent / location

    def _table(self, name: str) -> str:
        schema, table = name.split(".")
        catalog = str(self.query("select current_database()")[0][0]).replace('"', '""')
        return f'"{catalog}"."{schema}"."{table}"'

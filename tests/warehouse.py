"""The warehouse under test: a scratch dbt project on our macros, with batches landed by the loaders' stage."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import psycopg2
import pyarrow as pa
import pytest
import snowflake.connector
from dbt.adapters.base.impl import DEFAULT_BASE_BEHAVIOR_FLAGS
from dbt.cli.main import dbtRunner

from loaders.batch import Batch, make_pipeline_run_id
from loaders.names import column_names
from loaders.settings import Target
from loaders.stage import open_stage
from loaders.stage.snowflake_session import SnowflakeConnection, connection_settings

REPOSITORY = Path(__file__).parents[1]
LOAD_COLUMNS = ("record_key", "record_hash", "batch_id", "pipeline_run_id", "date_to_warehouse", "update_date")
EXTRACTED_AT = datetime(2026, 2, 1, 6, tzinfo=UTC)

Row = Mapping[str, str | None]

# Parsing takes most of a build's time; projects with the same text share what was parsed.
_manifests: dict[str, Any] = {}
_FLAG_COUNT = len(DEFAULT_BASE_BEHAVIOR_FLAGS)


def contacts(*rows: tuple[str | None, str | None]) -> list[Row]:
    """Contacts of a key and a status."""
    return [{"Contact ID": key, "Status": status} for key, status in rows]


@dataclass
class Build:
    """What one dbt command did."""

    success: bool
    results: Mapping[str, str]
    log: Sequence[str]
    error: str

    def failure(self) -> str:
        """All that the command said about its failure."""
        assert not self.success, f"expected a failure, got {self.results}"
        return "\n".join([self.error, *self.results.values()])


@dataclass
class Warehouse:
    """One warehouse; unless told otherwise with one source table, `desk.contacts`, and its model `bronze_contacts`.

    `url` is an empty PostgreSQL database, for that engine; `credentials` an empty Snowflake one, for that.
    """

    engine: str
    directory: Path
    url: str | None = None
    schema: str = "hotelmind_warehouse"
    # Beyond what every target has.
    credentials: dict[str, Any] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    _deliveries: int = 0
    _session: SnowflakeConnection | None = None
    _beside: list[Warehouse] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.directory.mkdir(exist_ok=True)
        self.write("dbt_project.yml", _PROJECT.format(macros=REPOSITORY / "macros"))
        self.model()

    @property
    def target(self) -> Target:
        """The target as the loaders have it."""
        credentials: dict[str, Any] = {"type": self.engine, "schema": self.schema, "threads": 2, **self.credentials}
        if self.url:
            parts = psycopg2.extensions.parse_dsn(self.url)
            credentials |= {**parts, "port": int(parts["port"]), "password": "unused"}
        elif self.engine == "duckdb":
            credentials |= {"path": str(self.directory / "warehouse.duckdb"), "retries": {"connect_attempts": 1}}
        return Target(self.engine, self.engine, self.schema, credentials)

    def beside(self, schema: str, directory: Path | None = None) -> Warehouse:
        """The same database under another target schema: a warehouse of its own."""
        beside = Warehouse(self.engine, directory or self.directory, self.url, schema, {**self.credentials})
        self._beside.append(beside)
        return beside

    def of(self, name: str) -> str:
        """A table's full name, by its plain one."""
        schema, table = name.split(".")
        return f"{self.target.schema_name(schema)}.{table}"

    def write(self, name: str, text: str) -> None:
        """A file of the scratch project."""
        self.files[name] = text
        path = self.directory / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def remove(self, name: str) -> None:
        """Take a file of the scratch project away, where it is there."""
        if self.files.pop(name, None) is not None:
            (self.directory / "project" / name).unlink()

    def model(
        self,
        materialized: str = "bronze_merge",
        *,
        source: str = "desk",
        record_key: Sequence[str] = ("contact_id",),
        columns: Sequence[str] = (),
        source_meta: Mapping[str, Any] | None = None,
        config: Mapping[str, Any] | None = None,
        **meta: Any,
    ) -> None:
        """Declare the source table and its bronze model; `meta` is the model's."""
        table = {
            "name": "contacts",
            "config": {"meta": {**({"record_key": list(record_key)} if record_key else {}), **(source_meta or {})}},
            "columns": [{"name": name} for name in columns],
        }
        self.write("models/_contacts__sources.yml", json.dumps({"sources": [{"name": source, "tables": [table]}]}))
        arguments = json.dumps({"materialized": materialized, "schema": "bronze", "meta": meta, **(config or {})})
        self.write(
            "models/bronze_contacts.sql",
            f"{{{{ config(**fromjson({json.dumps(arguments)})) }}}}\n"
            f"select * from {{{{ landed('{source}', 'contacts') }}}}\n",
        )

    def deliver(
        self,
        rows: Sequence[Row] = (),
        *,
        columns: Sequence[str] | None = None,
        batch_id: str | None = None,
        extracted_at: datetime | None = None,
        source_table: str = "desk.contacts",
        **batch: Any,
    ) -> Batch:
        """Land one delivery of desk.contacts; each is read an hour after the one before."""
        self._deliveries += 1
        headers = list(columns if columns is not None else (rows[0] if rows else ()))
        names = column_names(headers)
        arrays = {names[header]: pa.array([row[header] for row in rows], pa.string()) for header in headers}
        landing = Batch(
            source_table=source_table,
            batch_id=batch_id or f"batch-{self._deliveries}",
            pipeline_run_id=make_pipeline_run_id(),
            extracted_at=extracted_at or EXTRACTED_AT + timedelta(hours=self._deliveries),
            columns={name: header for header, name in names.items()},
            **batch,
        )
        stage = open_stage(self.target)
        return stage.land(landing, [pa.record_batch(arrays)] if rows else [])

    def enter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make the scratch project the one that the loaders find."""
        self.arguments()
        monkeypatch.chdir(self.directory / "project")
        monkeypatch.setenv("DBT_PROFILES_DIR", str(self.directory))

    @contextmanager
    def locked(self) -> Iterator[Callable[[], None]]:
        """Another process has the DuckDB file open; yields what makes it let go."""
        hold = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
        command = [sys.executable, "-c", hold, str(self.target.credentials["path"])]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin
            assert process.stdout
            process.stdout.readline()
            try:
                yield process.stdin.close
            finally:
                process.stdin.close()

    def end_abandoned_transactions(self) -> None:
        """What an operator does after a process was killed: on Snowflake its session, and its transaction, live on."""
        if self.engine == "snowflake":
            # Its last request may still be on its way.
            time.sleep(0.5)
            for transaction in self.query("show transactions"):
                if transaction[4] >= self.started_at:
                    self.query(f"select system$abort_transaction({transaction[0]})")

    def stage(self) -> dict[str, Any]:
        """All that is in the stage: the files, hidden ones too, or the tables."""
        if self.engine == "snowflake":
            is_made = f"{self.target.schema_name('hotelmind_warehouse')}.etl_batches" in self.tables()
            listed = self.query(f"list @{self.target.schema_name('stage')}.batches") if is_made else []
            return {name: (size, md5) for name, size, md5, _ in listed}
        if self.url:
            tables = [name for name in self.tables() if name.startswith(self.target.schema_name("stage") + ".")]
            return {name: self.query(f"select * from {name} order by record_number") for name in tables}
        directory = self.directory / "stage"
        found = [path for path in directory.rglob("*") if path.is_file()]
        return {path.relative_to(directory).as_posix(): path.read_bytes() for path in found}

    def arguments(self, *arguments: str) -> list[str]:
        """A dbt command line on this project and warehouse."""
        (self.directory / "profiles.yml").write_text(
            json.dumps({"hotelmind_warehouse": {"target": "test", "outputs": {"test": dict(self.target.credentials)}}})
        )
        directories = ["--project-dir", str(self.directory / "project"), "--profiles-dir", str(self.directory)]
        paths = ["--target-path", str(self.directory / "target"), "--log-path", str(self.directory / "logs")]
        return [*arguments, *directories, *paths]

    def dbt(self, *arguments: str) -> Build:
        """Run one dbt command in this process."""
        # Every adapter that dbt makes appends its flags to this one list, and each flag costs a walk through the stack.
        del DEFAULT_BASE_BEHAVIOR_FLAGS[_FLAG_COUNT:]
        log: list[str] = []
        cached = json.dumps([self.engine, self.schema, self.files], sort_keys=True)
        runner = dbtRunner(manifest=_manifests.get(cached), callbacks=[lambda event: log.append(event.info.msg)])
        if cached not in _manifests:
            _manifests[cached] = runner.invoke(self.arguments("--quiet", "parse", "--no-partial-parse")).result
            runner.manifest = _manifests[cached]
        outcome = runner.invoke(self.arguments("--quiet", "--warn-error", *arguments))
        nodes = getattr(outcome.result, "results", None) or []
        results = {getattr(getattr(one, "node", None), "name", "?"): str(one.message) for one in nodes}
        return Build(outcome.success, results, log, str(outcome.exception or ""))

    def build(self, *arguments: str) -> Build:
        """`dbt build` that must succeed."""
        build = self.dbt("build", *arguments)
        assert build.success, "\n".join([build.error, *build.results.values()])
        return build

    def query(self, sql: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Rows of any statement, as a person at the warehouse would send it; `$name` is bound."""
        if self.url:
            with connected(self.url) as cursor:
                cursor.execute("set timezone = 'UTC'")
                cursor.execute(re.sub(r"\$(\w+)", r"%(\1)s", sql), parameters or None)
                return list(cursor.fetchall()) if cursor.description else []
        if self.engine == "snowflake":
            if self._session is None:
                settings = {**connection_settings(self.target), "application": "test"}
                self._session = SnowflakeConnection(snowflake.connector.connect(**settings))
            return self._session.query(sql, parameters)
        with duckdb.connect(str(self.target.credentials["path"])) as connection:
            connection.execute("set timezone = 'UTC'")
            return connection.execute(sql, parameters or None).fetchall()

    def close(self) -> None:
        """End the session that questions are asked in, where there is one."""
        for one in (self, *self._beside):
            if one._session:
                one._session.close()

    def tables(self) -> list[str]:
        """Every table but the engine's own, as schema.table, in lower case on all engines."""
        found = self.query(
            "select lower(table_schema), lower(table_name) from information_schema.tables"
            " where lower(table_schema) not in ('pg_catalog', 'information_schema') order by 1, 2"
        )
        return [f"{schema}.{table}" for schema, table in found]

    def rows(self, *columns: str, table: str = "bronze.bronze_contacts") -> list[tuple[Any, ...]]:
        """Some columns of a table, in the order of the first."""
        rows = self.query(f"select {', '.join(columns)} from {self.of(table)}")
        return sorted(rows, key=lambda row: tuple((value is not None, value) for value in row))

    def whole(self, table: str = "bronze.bronze_contacts") -> list[tuple[Any, ...]]:
        """Every value of a table."""
        return self.query(f"select * from {self.of(table)} order by record_key")

    def ledger(self, *columns: str) -> list[tuple[Any, ...]]:
        """Some columns of the ledger, in the order in which batches were read."""
        table = self.of("hotelmind_warehouse.etl_batches")
        return self.query(f"select {', '.join(columns)} from {table} order by extracted_at, landed_at")

    def whole_ledger(self) -> list[tuple[Any, ...]]:
        """Every value of the ledger."""
        return self.query(f"select * from {self.of('hotelmind_warehouse.etl_batches')} order by 1, 2, 3")

    def watermark(self, name: str = "desk.contacts") -> datetime | None:
        """The stored watermark."""
        table = self.of("hotelmind_warehouse.etl_watermarks")
        found = self.query(f"select last_extracted from {table} where table_name = $name", name=name)
        return found[0][0] if found else None

    def snapshot(self) -> tuple[Any, ...]:
        """Target, watermarks and ledger, but for reasons."""
        return (
            self.whole() if self.of("bronze.bronze_contacts") in self.tables() else None,
            self.query(f"select * from {self.of('hotelmind_warehouse.etl_watermarks')} order by 1"),
            self.ledger("source_table", "batch_id", "pipeline_run_id", "status", "loaded_at", "rows_inserted"),
        )

    def refused(self) -> tuple[Any, ...]:
        """The snapshot without the one batch that stays pending: what a refused batch may not change."""
        target, watermarks, ledger = self.snapshot()
        assert [row[3] for row in ledger].count("landed") == 1
        return target, watermarks, [row for row in ledger if row[3] != "landed"]


@contextmanager
def connected(url: str) -> Iterator[Any]:
    """A cursor in autocommit."""
    connection = psycopg2.connect(url)
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            yield cursor
    finally:
        connection.close()


_PROJECT = """
name: hotelmind_warehouse
profile: hotelmind_warehouse
macro-paths: ['{macros}']
on-run-start: ["{{{{ create_state_tables() }}}}"]
on-run-end: ["{{{{ fail_refused_packages(results) }}}}"]
flags: {{send_anonymous_usage_stats: false, validate_macro_args: true}}
"""

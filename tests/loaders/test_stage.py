"""The stage: a batch is stored whole and unchanged, or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders.batch import Batch
from loaders.errors import SettingsError, StageError
from loaders.ledger import PendingBatch, Progress
from loaders.settings import Target
from loaders.stage import open_stage
from loaders.stage.duckdb import DuckDBStage
from loaders.stage.parquet import read_batch, write_batch
from warehouse import Warehouse, contacts

MOMENT = datetime(2026, 1, 1, 12, 0, 0, 123456, tzinfo=UTC)
BATCH = Batch(
    source_table="desk.contacts",
    batch_id="2026-01-01",
    pipeline_run_id="run",
    extracted_at=MOMENT,
    columns={"a": 'Ä "a"', "b": "B"},
    low=MOMENT,
    window_start=MOMENT.date(),
)


def chunk(**columns: list[str | None]) -> pa.RecordBatch:
    return pa.record_batch({name: pa.array(values, pa.string()) for name, values in columns.items()})


def test_a_batch_carries_its_own_ledger_row(tmp_path: Path) -> None:
    written = write_batch(tmp_path / "stage", BATCH, [chunk(a=["1", None], b=["", "x"])])
    path = tmp_path / written.location
    assert read_batch(path) == written
    assert written.row_count == 2
    assert pq.read_table(path).to_pylist() == [
        {"a": "1", "b": "", "record_number": 1},
        {"a": None, "b": "x", "record_number": 2},
    ]


def test_records_are_numbered_through_all_chunks_and_row_groups(tmp_path: Path) -> None:
    wide = "x" * 1_000_000
    written = write_batch(tmp_path, BATCH, (chunk(b=[wide] * 40, a=["1"] * 40) for _ in range(4)))
    file = pq.ParquetFile(tmp_path.parent / written.location)
    assert file.metadata.num_row_groups > 1
    assert file.read(["record_number"])["record_number"].to_pylist() == list(range(1, 161))


def test_a_failure_while_writing_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[pa.RecordBatch]:
        yield chunk(a=["1"], b=["2"])
        raise ValueError("the source went away")

    with pytest.raises(ValueError, match="the source went away"):
        write_batch(tmp_path, BATCH, broken())
    assert list(tmp_path.iterdir()) == []


LANDING = """
import json, sys, time
from datetime import UTC, datetime
import pyarrow as pa
from loaders.batch import Batch
from loaders.settings import Target
from loaders.stage import open_stage

def chunks():
    for _ in range(3):
        yield pa.record_batch({'a': pa.array(['x' * 9_000_000] * 9)})
    print('writing', flush=True)
    time.sleep(60)

credentials = json.loads(sys.argv[1])
target = Target('t', credentials['type'], credentials['schema'], credentials)
open_stage(target).land(Batch('desk.contacts', 'b', 'r', datetime.now(UTC), {'a': 'A'}), chunks())
"""


def test_kill_9_while_landing_leaves_no_batch(warehouse: Warehouse) -> None:
    credentials = json.dumps(dict(warehouse.target.credentials))
    with subprocess.Popen([sys.executable, "-c", LANDING, credentials], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"writing\n"
        process.kill()
    stage = open_stage(warehouse.target)
    assert stage.adopt() == []
    assert stage.progress("desk.contacts") == Progress(None)
    assert [name for name in warehouse.stage() if not name.startswith(".")] == []


def test_what_a_killed_loader_left_is_swept_once_older_than_a_day(duckdb_warehouse: Warehouse) -> None:
    stage = open_stage(duckdb_warehouse.target)
    hidden = duckdb_warehouse.directory / "stage" / ".contacts_000000000000.1"
    hidden.parent.mkdir()
    hidden.write_bytes(b"half")
    assert stage.adopt() == []
    assert list(duckdb_warehouse.stage()) == [hidden.name]
    old = time.time() - timedelta(hours=25).total_seconds()
    os.utime(hidden, (old, old))
    assert stage.adopt() == []
    assert duckdb_warehouse.stage() == {}


def test_a_whole_batch_without_a_ledger_row_is_adopted_once(duckdb_warehouse: Warehouse) -> None:
    warehouse = duckdb_warehouse
    landed = warehouse.deliver(contacts(("A", "1")))
    warehouse.query("delete from hotelmind_warehouse.etl_batches")
    stage = open_stage(warehouse.target)
    assert [replace(one, landed_at=None) for one in stage.adopt()] == [replace(landed, landed_at=None)]
    assert stage.adopt() == []
    warehouse.build()
    assert warehouse.rows("contact_id") == [("A",)]


def test_on_postgresql_a_batch_and_its_ledger_row_come_together(postgres_warehouse: Warehouse) -> None:
    warehouse = postgres_warehouse
    landed = warehouse.deliver(contacts(("A", "1")))
    assert landed.location
    ((comment,),) = warehouse.query("select obj_description($table::regclass)", table=landed.location)
    assert Batch.from_json(comment).batch_id == landed.batch_id
    # The ledger refuses the row: the table is not there either.
    warehouse.query("alter table hotelmind_warehouse.etl_batches add check (batch_id <> 'refused')")
    tables = warehouse.tables()
    with pytest.raises(StageError, match="violates check constraint"):
        warehouse.deliver(contacts(("B", "1")), batch_id="refused")
    assert warehouse.tables() == tables


def test_a_batch_that_is_gone_is_refused_and_named(warehouse: Warehouse) -> None:
    landed = warehouse.deliver(contacts(("A", "1")))
    open_stage(warehouse.target).remove([str(landed.location)])
    assert "is gone; restore" in warehouse.dbt("build").failure()


def test_a_warehouse_moves_with_its_folder(duckdb_warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse = duckdb_warehouse
    warehouse.deliver(contacts(("A", "1")))
    warehouse.directory.rename(tmp_path.parent / f"{tmp_path.name}-moved")
    warehouse.directory = tmp_path.parent / f"{tmp_path.name}-moved"
    warehouse.build()
    assert warehouse.rows("contact_id") == [("A",)]


def test_another_schema_is_a_warehouse_of_its_own(warehouse: Warehouse) -> None:
    warehouse.deliver(contacts(("A", "1")))
    anna = warehouse.beside("anna")
    anna.deliver(contacts(("B", "1")))
    anna.build()
    assert anna.rows("contact_id") == [("B",)]
    assert warehouse.ledger("status") == [("landed",)]
    assert anna.ledger("status") == [("loaded",)]


def test_a_database_called_like_a_schema_works(tmp_path: Path) -> None:
    target = Target("t", "duckdb", "hotelmind_warehouse", {"path": str(tmp_path / "hotelmind_warehouse.duckdb")})
    stage = open_stage(target)
    stage.land(BATCH, [])
    assert [one.batch_id for one in stage.progress("desk.contacts").pending] == ["2026-01-01"]


@pytest.mark.parametrize("path", [":memory:", "md:warehouse", "s3://bucket/w.duckdb", None])
def test_a_warehouse_without_a_file_is_refused(path: str | None) -> None:
    with pytest.raises(SettingsError, match="the loaders need a DuckDB file"):
        open_stage(Target("t", "duckdb", "s", {"path": path}))


def test_a_file_that_is_no_warehouse_is_named(tmp_path: Path) -> None:
    (tmp_path / "w.duckdb").write_bytes(b"not a database" * 1000)
    with pytest.raises(StageError, match=r"w\.duckdb: cannot be opened: .*not a valid DuckDB database"):
        DuckDBStage(Target("t", "duckdb", "s", {"path": str(tmp_path / "w.duckdb")})).progress("x.y")


@given(st.text(), st.text(), st.text())
def test_physical_names_are_short_and_safe(table: str, batch_id: str, run: str) -> None:
    name = replace(BATCH, source_table=f"s.{table}", batch_id=batch_id, pipeline_run_id=run).physical_name
    assert len(name) <= 63
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_")


def hours(low: int | None, high: int | None) -> PendingBatch:
    return PendingBatch("b", *(None if hour is None else MOMENT + timedelta(hours=hour) for hour in (low, high)))


@pytest.mark.parametrize(
    ("watermark", "pending", "expected"),
    [
        (0, [], 0),
        (0, [(0, 1), (1, 2)], 2),
        (0, [(1, 2), (0, 1)], 2),
        (0, [(0, 1), (2, 3)], 1),
        (0, [(0, 0)], 0),
        (5, [(0, 1)], 5),
        (None, [(None, 1), (1, 2)], 2),
        (None, [(0, 1)], None),
    ],
    ids=[
        "nothing pending",
        "a chain",
        "a chain that landed in another order",
        "a hole ends it",
        "an empty increment",
        "a reset leaves what is pending aside",
        "a chain from the first run",
        "no chain without a beginning",
    ],
)
def test_extraction_goes_on_from_the_end_of_the_unbroken_chain(
    watermark: int | None, pending: list[tuple[int | None, int | None]], expected: int | None
) -> None:
    stored = None if watermark is None else MOMENT + timedelta(hours=watermark)
    end = Progress(stored, tuple(hours(*one) for one in pending)).chain_end()
    assert end == (None if expected is None else MOMENT + timedelta(hours=expected))

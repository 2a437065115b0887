"""The stage on Snowflake: uploaded, looked for, and only then entered; what nobody entered is adopted."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from loaders.errors import StageError
from loaders.stage import open_stage
from loaders.stage.snowflake import SnowflakeStage
from tests.snowflake.stand_in import StandIn
from warehouse import Warehouse, contacts


def later(warehouse: Warehouse, *, days: int = 0) -> SnowflakeStage:
    """The stage, two hours and so many days from now."""
    seconds = timedelta(days=days, hours=2).total_seconds()
    return SnowflakeStage(warehouse.target, clock=lambda: time.time() + seconds)


def test_a_batch_without_a_ledger_row_is_adopted_once_it_is_an_hour_old(snowflake_warehouse: Warehouse) -> None:
    warehouse = snowflake_warehouse
    landed = warehouse.deliver(contacts(("A", "1"), ("B", "")))
    warehouse.query("delete from hotelmind_warehouse.etl_batches")
    # Its loader may be about to enter it.
    assert open_stage(warehouse.target).adopt() == []
    stage = later(warehouse)
    assert [replace(one, landed_at=None) for one in stage.adopt()] == [replace(landed, landed_at=None)]
    assert stage.adopt() == []
    warehouse.build()
    assert warehouse.rows("contact_id", "status") == [("A", "1"), ("B", "")]


def test_a_part_of_a_package_that_was_never_entered_is_no_batch_and_goes_after_a_day(
    snowflake_warehouse: Warehouse, tmp_path: Path
) -> None:
    warehouse = snowflake_warehouse
    warehouse.deliver(contacts(("A", "1")))
    (before,) = warehouse.stage()
    part = tmp_path / "items_0123456789ab_items__tags.parquet"
    pq.write_table(pa.table({"row_id": ["r"], "record_number": [1]}), part)
    warehouse.query(f"put 'file://{part}' @stage.batches auto_compress = false")
    assert later(warehouse).adopt() == []
    assert len(warehouse.stage()) == 2
    assert later(warehouse, days=1).adopt() == []
    assert list(warehouse.stage()) == [before]


def test_before_anything_was_made_there_is_nothing_to_adopt(snowflake_warehouse: Warehouse) -> None:
    assert later(snowflake_warehouse).adopt() == []
    assert snowflake_warehouse.tables() == []


def test_a_pruned_batch_is_not_adopted_again(snowflake_warehouse: Warehouse) -> None:
    landed = snowflake_warehouse.deliver(contacts(("A", "1")))
    stage = later(snowflake_warehouse)
    assert stage.held([str(landed.location), "stage.batches/other.parquet"]) == {landed.location}
    stage.remove([str(landed.location)])
    assert stage.held([str(landed.location)]) == set()
    assert stage.adopt() == []


def test_an_upload_that_is_not_there_afterwards_is_no_batch(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn
) -> None:
    warehouse = snowflake_warehouse
    warehouse.build()
    snowflake_account.before("list @", "remove @hotelmind.stage.batches")
    with pytest.raises(StageError, match=r"\d+ bytes were put there and nothing found; load again"):
        warehouse.deliver(contacts(("A", "1")))
    assert warehouse.ledger("status") == []


def test_a_ledger_that_refuses_the_row_leaves_a_file_that_is_adopted(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn
) -> None:
    warehouse = snowflake_warehouse
    warehouse.build()
    column = "alter table hotelmind_warehouse.etl_batches alter column high set not null"
    warehouse.query(column)
    with pytest.raises(StageError, match=r"target 'snowflake': .*NULL result in a non-nullable column"):
        warehouse.deliver(contacts(("A", "1")))
    assert warehouse.ledger("status") == []
    warehouse.query(column.replace("set not", "drop not"))
    assert [one.batch_id for one in later(warehouse).adopt()] == ["batch-1"]


def test_a_file_that_lost_rows_is_refused_and_named(snowflake_warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse = snowflake_warehouse
    landed = warehouse.deliver(contacts(("A", "1"), ("B", "1")))
    assert landed.location
    path = tmp_path / landed.location.rpartition("/")[2]
    warehouse.query(f"get @{landed.location} 'file://{tmp_path}'")
    pq.write_table(pq.read_table(path).slice(0, 1), path)
    warehouse.query(f"remove @{landed.location}")
    warehouse.query(f"put 'file://{path}' @stage.batches auto_compress = false source_compression = none")
    assert "its file has 1 rows, 2 were landed" in warehouse.dbt("build").failure()
    assert warehouse.ledger("status") == [("landed",)]


def test_the_same_attempt_entered_twice_loads_once(snowflake_warehouse: Warehouse) -> None:
    """No key is enforced on Snowflake: if two rows come of one attempt all the same, nothing is doubled."""
    warehouse = snowflake_warehouse
    warehouse.model("append", record_key=[])
    warehouse.deliver(contacts(("A", "1")), high=warehouse.started_at)
    warehouse.query("insert into hotelmind_warehouse.etl_batches select * from hotelmind_warehouse.etl_batches")
    warehouse.build()
    assert warehouse.rows("contact_id") == [("A",)]
    assert warehouse.ledger("status") == [("loaded",)] * 2
    assert warehouse.watermark() == warehouse.started_at


def test_whoever_decides_about_batches_locks_the_ledger_first(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn
) -> None:
    """Documented: an UPDATE holds the table until the commit, and another waits; the stand-in has no locks."""
    warehouse = snowflake_warehouse
    warehouse.deliver(contacts(("A", "1")))
    with open_stage(warehouse.target).write_ledger() as ledger:
        ledger.attempts()
    sent = [one.text for one in snowflake_account.statements() if one.application == "hotelmind_loaders"]
    assert [text.split(" set ")[0] for text in sent[-4:]][:2] == ["begin", "update hotelmind_warehouse.etl_batches"]
    assert sent[-1] == "commit"
    assert warehouse.ledger("status") == [("landed",)]

"""The watermark of a source moves with its batches, and of silver with its rows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from warehouse import Warehouse, contacts

DAY = datetime(2026, 1, 10, tzinfo=UTC)
ROWS = contacts(("A", "1"))


def days(count: float) -> datetime:
    return DAY + timedelta(days=count)


@pytest.mark.parametrize(
    ("stored", "low", "high", "expected"),
    [
        (None, None, days(0), days(0)),
        (None, days(-1), days(0), None),
        (None, None, None, None),
        (days(0), None, days(1), days(1)),
        (days(0), days(0), days(1), days(1)),
        (days(0), days(-3), days(1), days(1)),
        (days(0), days(-3), days(-1), days(0)),
        (days(0), days(1), days(2), days(0)),
        (days(0), days(0), None, days(0)),
        (days(0), days(0), days(0) + timedelta(microseconds=1), days(0) + timedelta(microseconds=1)),
    ],
    ids=[
        "the first batch sets it",
        "a batch with a low waits while there is none",
        "a first batch without a high sets none",
        "a batch without a low moves it",
        "a batch that begins at it moves it",
        "a batch that begins before it moves it",
        "it never goes back",
        "a batch beyond a hole leaves it",
        "a batch without a high leaves it",
        "microseconds count",
    ],
)
def test_loading_a_batch_moves_the_watermark_by_one_rule(
    warehouse: Warehouse,
    stored: datetime | None,
    low: datetime | None,
    high: datetime | None,
    expected: datetime | None,
) -> None:
    warehouse.build()
    if stored:
        warehouse.query(
            "insert into hotelmind_warehouse.etl_watermarks values ('desk.contacts', $stored, null, null)",
            stored=stored,
        )
    warehouse.deliver(ROWS, low=low, high=high)
    warehouse.build()
    assert warehouse.watermark() == expected
    assert warehouse.rows("contact_id") == [("A",)]
    assert warehouse.query(
        "select rows_extracted, last_run_at is not null from hotelmind_warehouse.etl_watermarks"
    ) == [(1, True)]


SILVER = """
{{ config(materialized='incremental', incremental_strategy='record_hash_merge', unique_key='record_key',
          schema='silver', post_hook='{{ save_watermark() }}') }}
select record_key, record_hash, status, batch_id, update_date from {{ ref('bronze_contacts') }}
{% if is_incremental() %} where update_date >= {{ watermark() }} {% endif %}
"""


def silver(warehouse: Warehouse) -> list[tuple[object, ...]]:
    return warehouse.query("select record_key, status, update_date from silver.silver_contacts order by 1")


def test_silver_takes_changed_rows_and_leaves_the_rest_alone(warehouse: Warehouse) -> None:
    warehouse.model(columns=["contact_id", "status"])
    warehouse.write("models/silver_contacts.sql", SILVER)
    warehouse.build()
    assert warehouse.watermark("silver_contacts") is None
    warehouse.deliver(contacts(("A", "1"), ("B", "1")))
    warehouse.build()
    first = silver(warehouse)
    assert warehouse.watermark("silver_contacts") == first[0][2]
    warehouse.deliver(contacts(("A", "1"), ("B", "2"), ("C", "1")))
    warehouse.build()
    second = silver(warehouse)
    assert second[0] == first[0]
    assert [row[:2] for row in second] == [("A", "1"), ("B", "2"), ("C", "1")]
    assert warehouse.watermark("silver_contacts") == second[1][2]
    warehouse.build()
    assert silver(warehouse) == second


@pytest.mark.parametrize(
    "reset", ["update {} set last_extracted = null", "delete from {}"], ids=["set to NULL", "deleted"]
)
def test_a_reset_of_silver_reads_all_again_and_changes_no_row(warehouse: Warehouse, reset: str) -> None:
    warehouse.write("models/silver_contacts.sql", SILVER)
    warehouse.deliver(contacts(("A", "1")))
    warehouse.build()
    before = silver(warehouse), warehouse.watermark("silver_contacts")
    warehouse.query(reset.format("hotelmind_warehouse.etl_watermarks"))
    warehouse.build()
    assert (silver(warehouse), warehouse.watermark("silver_contacts")) == before


def test_a_full_refresh_of_silver_rebuilds_it_from_all_of_bronze(warehouse: Warehouse) -> None:
    warehouse.write("models/silver_contacts.sql", SILVER)
    warehouse.deliver(contacts(("A", "1"), ("B", "1")))
    warehouse.build()
    before = silver(warehouse)
    warehouse.query("delete from silver.silver_contacts where record_key = 'A'")
    warehouse.build("--full-refresh")
    assert silver(warehouse) == before


BATCHES = SILVER.replace("record_hash_merge", "loaded_batches").replace(
    "unique_key='record_key'", "unique_key='batch_id'"
)


def test_a_day_restated_to_nothing_leaves_silver(warehouse: Warehouse) -> None:
    warehouse.model("batch_replace", record_key=[], allow_empty=True)
    warehouse.write("models/silver_contacts.sql", BATCHES)
    warehouse.deliver(ROWS, batch_id="2026-01-01")
    warehouse.deliver(ROWS, batch_id="2026-01-02")
    warehouse.build()
    kept = silver(warehouse)[1:]
    warehouse.deliver([], batch_id="2026-01-01")
    warehouse.build()
    assert silver(warehouse) == kept
    warehouse.build()
    assert silver(warehouse) == kept


def test_a_day_replaced_in_bronze_is_replaced_in_silver(warehouse: Warehouse) -> None:
    warehouse.model("batch_replace", record_key=[])
    warehouse.write("models/silver_contacts.sql", BATCHES)
    warehouse.deliver(contacts(("A", "1"), ("B", "1")), batch_id="2026-01-01")
    warehouse.deliver(contacts(("C", "1")), batch_id="2026-01-02")
    warehouse.build()
    warehouse.deliver(contacts(("A", "2")), batch_id="2026-01-01")
    warehouse.build()
    assert [row[:2] for row in silver(warehouse)] == [("2026-01-01|1", "2"), ("2026-01-02|1", "1")]

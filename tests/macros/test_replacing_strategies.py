"""batch_replace, truncate_insert and append."""

from __future__ import annotations

import pytest

from warehouse import EXTRACTED_AT, Warehouse, contacts


def events(*names: str) -> list[dict[str, str | None]]:
    return [{"Event": name} for name in names]


def message(warehouse: Warehouse) -> str:
    return warehouse.build().results["bronze_contacts"]


def test_batch_replace_replaces_exactly_the_rows_of_its_batch(warehouse: Warehouse) -> None:
    warehouse.model("batch_replace", record_key=[])
    warehouse.deliver(events("a", "b"), batch_id="2026-01-01")
    warehouse.deliver(events("c"), batch_id="2026-01-02")
    warehouse.build()
    other = warehouse.query("select * from bronze.bronze_contacts where batch_id = '2026-01-02'")
    warehouse.deliver(events("a", "x", "y"), batch_id="2026-01-01")
    assert message(warehouse) == "1 batch: 3 landed, 3 inserted, 0 updated, 0 unchanged, 2 deleted"
    assert warehouse.rows("record_key", "event") == [
        ("2026-01-01|1", "a"), ("2026-01-01|2", "x"), ("2026-01-01|3", "y"), ("2026-01-02|1", "c"),
    ]  # fmt: skip
    assert warehouse.query("select * from bronze.bronze_contacts where batch_id = '2026-01-02'") == other


def test_batch_replace_keeps_identical_events(warehouse: Warehouse) -> None:
    warehouse.model("batch_replace", record_key=[])
    warehouse.deliver(events("a", "a"), batch_id="2026-01-01")
    warehouse.build()
    assert warehouse.rows("event") == [("a",), ("a",)]


def test_batch_replace_of_one_batch_twice_leaves_the_same_rows(warehouse: Warehouse) -> None:
    warehouse.model("batch_replace", record_key=[])
    for _ in range(2):
        warehouse.deliver(events("a", "b"), batch_id="2026-01-01")
        warehouse.build()
        assert warehouse.rows("record_key", "event") == [("2026-01-01|1", "a"), ("2026-01-01|2", "b")]


def test_a_day_that_landed_late_is_set_aside_only_by_the_same_day(warehouse: Warehouse) -> None:
    warehouse.model("batch_replace", record_key=[])
    warehouse.deliver(events("b"), batch_id="2026-01-02")
    warehouse.build()
    warehouse.deliver(events("stale"), batch_id="2026-01-02", extracted_at=EXTRACTED_AT)
    warehouse.deliver(events("a"), batch_id="2026-01-01", extracted_at=EXTRACTED_AT)
    assert message(warehouse) == "1 batch: 1 landed, 1 inserted, 0 updated, 0 unchanged"
    assert warehouse.rows("event") == [("a",), ("b",)]


@pytest.mark.parametrize("strategy", ["batch_replace", "truncate_insert"])
def test_an_empty_delivery_over_rows_is_refused_until_it_is_allowed(warehouse: Warehouse, strategy: str) -> None:
    warehouse.model(strategy, record_key=[])
    warehouse.deliver(events("a", "b"), batch_id="2026-01-01")
    warehouse.build()
    snapshot = warehouse.snapshot()
    warehouse.deliver([], batch_id="2026-01-01")
    assert "an empty delivery would remove rows that are loaded" in warehouse.dbt("build").failure()
    assert warehouse.refused() == snapshot
    warehouse.model(strategy, record_key=[], allow_empty=True)
    assert message(warehouse) == "1 batch: 0 landed, 0 inserted, 0 updated, 0 unchanged, 2 deleted"
    assert warehouse.whole() == []


def test_an_empty_day_is_a_batch_of_zero_rows(warehouse: Warehouse) -> None:
    warehouse.model("batch_replace", record_key=[])
    warehouse.deliver([], batch_id="2026-01-01")
    assert message(warehouse) == "1 batch: 0 landed, 0 inserted, 0 updated, 0 unchanged"
    assert warehouse.ledger("status") == [("loaded",)]


def test_truncate_insert_leaves_only_the_current_list(warehouse: Warehouse) -> None:
    warehouse.model("truncate_insert")
    warehouse.deliver(contacts(("A", "1"), ("B", "1")))
    warehouse.build()
    warehouse.deliver(contacts(("B", "2"), ("C", "2")))
    assert message(warehouse) == "1 batch: 2 landed, 2 inserted, 0 updated, 0 unchanged, 2 deleted"
    assert warehouse.rows("contact_id", "status") == [("B", "2"), ("C", "2")]


def test_a_list_that_landed_late_is_set_aside(warehouse: Warehouse) -> None:
    warehouse.model("truncate_insert")
    warehouse.deliver(contacts(("B", "2")))
    warehouse.build()
    warehouse.deliver(contacts(("A", "1")), extracted_at=EXTRACTED_AT)
    warehouse.build()
    assert warehouse.rows("contact_id", "status") == [("B", "2")]


def test_append_adds_the_rows_of_every_batch(warehouse: Warehouse) -> None:
    warehouse.model("append", record_key=[])
    warehouse.deliver(events("a", "b"))
    warehouse.deliver(events("b"))
    assert message(warehouse) == "2 batches: 3 landed, 3 inserted, 0 updated, 0 unchanged"
    assert warehouse.rows("event") == [("a",), ("b",), ("b",)]


def test_append_adds_a_batch_that_landed_late(warehouse: Warehouse) -> None:
    warehouse.model("append", record_key=[])
    warehouse.deliver(events("b"))
    warehouse.build()
    warehouse.deliver(events("a"), extracted_at=EXTRACTED_AT)
    assert message(warehouse) == "1 batch: 1 landed, 1 inserted, 0 updated, 0 unchanged"


def test_append_does_not_load_a_loaded_batch_twice(warehouse: Warehouse) -> None:
    warehouse.model("append", record_key=[])
    warehouse.deliver(events("a"), batch_id="one")
    warehouse.build()
    warehouse.deliver(events("a"), batch_id="one")
    assert message(warehouse) == "nothing new"
    assert warehouse.rows("event") == [("a",)]
    assert warehouse.ledger("status", "reason")[1] == ("superseded", "this batch is loaded already")


@pytest.mark.parametrize("strategy", ["batch_replace", "truncate_insert", "append"])
def test_a_key_with_two_contents_is_refused_by_every_strategy(warehouse: Warehouse, strategy: str) -> None:
    warehouse.model(strategy)
    warehouse.deliver(contacts(("U-1", "OPEN"), ("U-1", "CLOSED")))
    assert "two contents: 'U-1'" in warehouse.dbt("build").failure()

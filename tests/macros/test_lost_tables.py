"""A bronze table that is gone: never made anew as if nothing had been in it."""

from __future__ import annotations

import pytest

from loaders.status.__main__ import main as status
from warehouse import Warehouse, contacts

GONE = "is gone, with the rows of"


def drop(warehouse: Warehouse) -> None:
    warehouse.query(f"drop table {warehouse.of('bronze.bronze_contacts')}")


@pytest.mark.parametrize("strategy", ["bronze_merge", "batch_replace", "truncate_insert", "append"])
def test_a_table_that_was_dropped_comes_back_with_all_its_rows_or_not_at_all(
    warehouse: Warehouse, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse.model(strategy)
    warehouse.enter(monkeypatch)
    warehouse.deliver(contacts(("A", "1"), ("B", "1")), batch_id="one")
    warehouse.deliver(contacts(("A", "2"), ("C", "2")), batch_id="two")
    warehouse.build()
    stored = warehouse.rows("contact_id", "status", "batch_id")
    drop(warehouse)
    failure = warehouse.dbt("build").failure()
    assert f"{GONE} 'one', 'two'; restore it" in failure
    assert "python -m loaders.status replay desk.contacts one" in failure
    assert "bronze.bronze_contacts" not in warehouse.tables()
    # A half of it is not taken for the whole, and what is new does not hide what is gone.
    assert status(["replay", "desk.contacts", "one"]) == 0
    warehouse.deliver(contacts(("A", "3")), batch_id="three")
    assert f"{GONE} 'two'; restore it" in warehouse.dbt("build").failure()
    assert status(["reject", "desk.contacts", "three"]) == 0
    assert status(["replay", "desk.contacts", "two"]) == 0
    warehouse.build()
    assert warehouse.rows("contact_id", "status", "batch_id") == stored
    assert warehouse.build().results["bronze_contacts"] == "nothing new"


def test_a_table_that_never_held_a_row_is_made_anew(warehouse: Warehouse) -> None:
    warehouse.deliver(contacts(("A", "1")))
    warehouse.build("--empty")
    drop(warehouse)
    warehouse.build("--empty")
    assert warehouse.build().results["bronze_contacts"].startswith("1 batch: 1 landed, 1 inserted")


def test_a_table_of_empty_deliveries_is_made_anew(warehouse: Warehouse) -> None:
    warehouse.deliver(columns=["Contact ID", "Status"])
    warehouse.build()
    drop(warehouse)
    assert warehouse.build().results["bronze_contacts"] == "nothing new"
    warehouse.deliver(contacts(("A", "1")))
    warehouse.build()
    assert warehouse.rows("contact_id", "status") == [("A", "1")]


def test_another_target_begins_with_a_table_of_its_own(warehouse: Warehouse) -> None:
    warehouse.deliver(contacts(("A", "1")))
    warehouse.build()
    anna = warehouse.beside("anna")
    assert anna.build().results["bronze_contacts"] == "nothing new"
    assert anna.rows("record_key") == []

"""What dbt's other commands do with bronze."""

from __future__ import annotations

import shutil

from warehouse import Warehouse, contacts

FIRST = contacts(("A", "1"), ("B", "1"))


def test_retry_after_a_failure_finishes_the_load(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    warehouse.build()
    # Of all constraints, the one that every engine enforces.
    warehouse.query("alter table bronze.bronze_contacts alter column status set not null")
    warehouse.deliver(contacts(("A", None)))
    assert not warehouse.dbt("build").success
    warehouse.query("alter table bronze.bronze_contacts alter column status drop not null")
    assert warehouse.dbt("retry").results["bronze_contacts"] == "1 batch: 1 landed, 0 inserted, 1 updated, 0 unchanged"
    assert warehouse.rows("contact_id", "status") == [("A", None), ("B", "1")]


def test_run_loads_as_build_does(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    assert warehouse.dbt("run").success
    assert warehouse.ledger("status") == [("loaded",)]


def test_compile_show_and_docs_load_nothing(warehouse: Warehouse) -> None:
    warehouse.build()
    warehouse.deliver(FIRST)
    for command in (["compile"], ["show", "--select", "bronze_contacts"], ["docs", "generate"], ["list"]):
        assert warehouse.dbt(*command).success, command
    assert warehouse.ledger("status") == [("landed",)]


def test_compile_works_before_anything_was_built(warehouse: Warehouse) -> None:
    assert warehouse.dbt("compile").success


def test_clone_makes_a_copy_and_leaves_the_original(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    warehouse.build()
    whole = warehouse.whole()
    state = warehouse.directory / "state"
    state.mkdir()
    shutil.copy(warehouse.directory / "target" / "manifest.json", state)
    anna = warehouse.beside("anna")
    build = anna.dbt("clone", "--state", str(state))
    assert build.success, build
    assert anna.rows("contact_id", "status") == [("A", "1"), ("B", "1")]
    assert warehouse.whole() == whole

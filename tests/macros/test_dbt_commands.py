"""What dbt's other commands do with bronze."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from loaders.settings import read_yaml
from warehouse import REPOSITORY, Warehouse, contacts

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


@pytest.fixture
def judged(warehouse: Warehouse) -> Warehouse:
    """A warehouse that judges desk.contacts as the project judges Gladly's reports: 36 hours warn, 60 fail."""
    project = read_yaml(REPOSITORY / "models/bronze/gladly/_gladly__sources.yml")["sources"][0]["config"]
    document = json.loads(warehouse.files["models/_contacts__sources.yml"])
    document["sources"][0]["config"] = {name: project[name] for name in ("freshness", "loaded_at_query")}
    warehouse.write("models/_contacts__sources.yml", json.dumps(document))
    return warehouse


def read_ago(warehouse: Warehouse, hours: int, status: str = "1") -> None:
    """A delivery that was read so long ago lands."""
    warehouse.deliver(contacts(("A", status)), extracted_at=datetime.now(UTC) - timedelta(hours=hours))


def freshness(warehouse: Warehouse) -> tuple[bool, str]:
    """Whether `dbt source freshness` succeeds, and its verdict on desk.contacts."""
    success = warehouse.dbt("source", "freshness").success
    (verdict,) = json.loads((warehouse.directory / "target" / "sources.json").read_text())["results"]
    return success, verdict["status"]


@pytest.mark.parametrize(
    ("hours", "verdict"),
    [(35, (True, "pass")), (37, (True, "warn")), (61, (False, "error"))],
    ids=["lately", "one morning missed", "two mornings missed"],
)
def test_a_source_is_as_fresh_as_what_is_loaded(judged: Warehouse, hours: int, verdict: tuple[bool, str]) -> None:
    read_ago(judged, hours=hours)
    judged.build()
    assert freshness(judged) == verdict


def test_a_source_that_was_never_loaded_is_not_fresh(judged: Warehouse) -> None:
    assert freshness(judged) == (False, "error")
    # It has landed, but nobody who reads bronze has it.
    read_ago(judged, hours=1)
    assert freshness(judged) == (False, "error")
    judged.build()
    assert freshness(judged) == (True, "pass")


def test_a_batch_that_is_pending_or_refused_makes_nothing_fresh(judged: Warehouse) -> None:
    read_ago(judged, hours=61)
    judged.build()
    judged.deliver(contacts((None, "2")), extracted_at=datetime.now(UTC))
    assert freshness(judged) == (False, "error")
    assert "is NULL, empty or blank" in judged.dbt("build").failure()
    assert freshness(judged) == (False, "error")

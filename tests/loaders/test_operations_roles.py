"""docs/examples/postgres_roles.sql: who may do what, shown by doing it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg2
import pytest

from loaders.erase.__main__ import main as erase
from loaders.operational.__main__ import main as load
from loaders.stage.__main__ import main as stage
from loaders.status.__main__ import main as status
from warehouse import REPOSITORY, Warehouse, connected

ROLES = (REPOSITORY / "docs" / "examples" / "postgres_roles.sql").read_text()
GOLD = "{{ config(materialized='table', schema='gold') }} select id, guest_id from {{ ref('bronze_contacts') }}"

As = Callable[[str], Warehouse]


@pytest.fixture
def as_role(postgres_warehouse: Warehouse, source_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> As:
    """The warehouse as one of the roles sees it; its commands run as that role."""
    with connected(str(postgres_warehouse.url)) as cursor:
        # Twice: it is run again after a change.
        cursor.execute(ROLES)
        cursor.execute(ROLES)
    with connected(source_url) as cursor:
        cursor.execute("create table contacts (id int primary key, guest_id text, updated_at timestamptz)")
        cursor.execute("insert into contacts values (1, 'G-1', '2026-01-01'), (2, 'G-2', '2026-01-01')")
    monkeypatch.setenv("OPERATIONAL_DATABASE_URL", source_url)

    def become(role: str) -> Warehouse:
        url = str(postgres_warehouse.url).replace("postgres@", f"hotelmind_{role}@")
        warehouse = Warehouse("postgres", tmp_path, url)
        columns = ["id", "guest_id", "updated_at"]
        warehouse.model(source="operational", record_key=["id"], columns=columns, source_meta={"cursor": "updated_at"})
        warehouse.write("models/fct_contacts.sql", GOLD)
        warehouse.enter(monkeypatch)
        return warehouse

    return become


@pytest.mark.parametrize("first", ["loader", "dbt"])
def test_each_role_does_its_own_work_whoever_comes_first(
    as_role: As, first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if first == "dbt":
        as_role("dbt").build()
    as_role("loader")
    assert load([]) == 0, capsys.readouterr().err
    as_role("dbt").build()
    # The second day works on tables that are there.
    as_role("loader")
    assert load([]) == 0
    as_role("dbt").build("--full-refresh")
    reader = as_role("reader")
    assert reader.query("select id, guest_id from gold.fct_contacts order by 1") == [("1", "G-1"), ("2", "G-2")]
    capsys.readouterr()
    assert status(["--json"]) == 0
    assert [row["state"] for row in json.loads(capsys.readouterr().out)["sources"]] == ["loaded"]


def test_the_keeper_prunes_replays_and_erases(as_role: As, capsys: pytest.CaptureFixture[str]) -> None:
    as_role("loader")
    assert load([]) == 0
    as_role("dbt").build()
    keeper = as_role("keeper")
    ((batch_id,),) = keeper.ledger("batch_id")
    assert status(["replay", "operational.contacts", batch_id]) == 0
    assert status(["reject", "operational.contacts", batch_id]) == 0
    assert erase(["--guest-id", "G-1"]) == 0, capsys.readouterr().err
    assert keeper.query("select guest_id from gold.fct_contacts") == [("G-2",)]
    long_ago = datetime.now(UTC) - timedelta(days=30)
    keeper.query(
        "update hotelmind_warehouse.etl_batches set loaded_at = $long_ago, landed_at = $long_ago", long_ago=long_ago
    )
    capsys.readouterr()
    assert stage(["prune", "--older-than", "14d"]) == 0
    assert "1 stored batches removed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("role", "statement"),
    [
        ("loader", "select * from gold.fct_contacts"),
        ("loader", "create schema mine"),
        ("loader", "create table bronze.mine (a text)"),
        ("dbt", "drop table {stored}"),
        ("dbt", "delete from {stored}"),
        ("reader", "select * from bronze.bronze_contacts"),
        ("reader", "select * from {stored}"),
        ("reader", "update hotelmind_warehouse.etl_watermarks set last_extracted = null"),
        ("reader", "delete from gold.fct_contacts"),
        ("reader", "create schema mine"),
    ],
    ids=lambda value: re.sub(r"[^a-z_ ]", "", value)[:40],
)
def test_no_role_does_what_is_anothers(as_role: As, role: str, statement: str) -> None:
    loader = as_role("loader")
    assert load([]) == 0
    ((stored,),) = loader.ledger("location")
    as_role("dbt").build()
    with pytest.raises(psycopg2.errors.InsufficientPrivilege, match=r"permission denied|must be owner"):
        as_role(role).query(statement.format(stored=stored))

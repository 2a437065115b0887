"""python -m loaders.erase and the nightly export: a person leaves raw lines, packages, and what was made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from dbt.adapters.duckdb.connections import DuckDBConnectionManager

from loaders.batch import Batch
from loaders.erase.__main__ import main
from loaders.nested import open_generation
from loaders.settings import read_yaml
from loaders.stage.parquet import file_facts
from loaders.status.__main__ import main as status
from warehouse import REPOSITORY, Warehouse

CUSTOMER, EMAIL = "cust-Zx81erasable", "Anna.Zx81@Hotel.example"
OTHER = "cust-Yw72stays"
# What of the person may be nowhere afterwards.
VALUES = (CUSTOMER, EMAIL, "Zx81 Anna", "+1555Zx81", "Zx81 Street", "Zx81 said", "conv-Zx81")

ROOTS = ("customers", "conversation_items")
CHILDREN = (
    "customers__email_addresses",
    "customers__phone_numbers",
    "conversation_items__initiator",
    "conversation_items__content",
    "conversation_items__content__to",
)
SILVER = ("silver_customer_emails", "silver_customer_phones", "silver_customers")


def declare(warehouse: Warehouse) -> None:
    """The project's own sources of customers and items, with their bronze models, and silver of customers."""
    tables = {*ROOTS, *CHILDREN, *(f"{root}_raw" for root in ROOTS)}
    document = read_yaml(REPOSITORY / "models/bronze/gladly/_gladly__sources.yml")
    (source,) = document["sources"]
    source["tables"] = [table for table in source["tables"] if table["name"] in tables]
    assert len(source["tables"]) == len(tables)
    warehouse.remove("models/_contacts__sources.yml")
    warehouse.remove("models/bronze_contacts.sql")
    warehouse.write("models/_gladly__sources.yml", json.dumps(document))
    models = [f"bronze/gladly/bronze_gladly__{name}" for name in (*ROOTS, *CHILDREN)]
    for model in models + [f"silver/{name}" for name in SILVER]:
        text = (REPOSITORY / "models" / f"{model}.sql").read_text()
        layer = model.split("/")[0]
        warehouse.write(f"models/{Path(model).name}.sql", text.replace("config(", f"config(schema='{layer}', ", 1))


def customer(key: str, name: str, email: str, phone: str, address: str) -> dict[str, Any]:
    return {"id": key, "name": name, "address": address, "emailAddresses": [email], "phoneNumbers": [phone]}


def item(key: str, customer_id: str, conversation_id: str, **fields: Any) -> dict[str, Any]:
    return {"id": key, "customerId": customer_id, "conversationId": conversation_id, **fields}


ANNA = customer(CUSTOMER, "Zx81 Anna", EMAIL, "+1555Zx81", "1 Zx81 Street")
JOHN = customer(OTHER, "John", "john@hotel.example", "+15550000", "2 Main Street")
ANNAS = [
    item(
        "i-1", CUSTOMER, "conv-Zx81", initiator={"type": "CUSTOMER", "id": CUSTOMER},
        content={"type": "EMAIL", "from": EMAIL, "to": ["desk@hotel.example"], "content": "Zx81 said hello"},
    ),
    # Nothing in it is an address of hers.
    item("i-2", CUSTOMER, "conv-Zx81", content={"type": "CONVERSATION_NOTE", "body": "Zx81 said by phone"}),
]  # fmt: skip
JOHNS = [
    item(
        "i-3", OTHER, "conv-1", initiator={"type": "CUSTOMER", "id": OTHER},
        content={"type": "EMAIL", "from": "john@hotel.example", "to": ["desk@hotel.example"], "content": "hello"},
    ),
    item("i-4", OTHER, "conv-1", initiator={"type": "AGENT", "id": "agent-1"}, content={"type": "PHONE_CALL"}),
]  # fmt: skip


def land(warehouse: Warehouse, root: str, objects: list[Mapping[str, Any]], batch_id: str = "night-1") -> None:
    """Land one raw delivery of a nested source table."""
    lines = [{"line": json.dumps(one)} for one in objects]
    warehouse.deliver(lines, columns=["line"], source_table=f"gladly.{root}_raw", batch_id=batch_id)


@pytest.fixture(params=["duckdb", "postgres"])
def warehouse(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    """A warehouse of each engine that people are erased from, with a night of two customers landed."""
    warehouse: Warehouse = request.getfixturevalue(f"{request.param}_warehouse")
    declare(warehouse)
    land(warehouse, "customers", [ANNA, JOHN])
    land(warehouse, "conversation_items", [ANNAS[0], JOHNS[0], ANNAS[1], JOHNS[1]])
    warehouse.enter(monkeypatch)
    return warehouse


def erase(*arguments: str) -> None:
    # dbt, in this process, would keep DuckDB's file open.
    DuckDBConnectionManager.close_all_connections()
    assert main(arguments) == 0


def everything(warehouse: Warehouse) -> dict[str, list[str]]:
    """Every row of every table and stored batch, as text."""
    names = {name: name for name in warehouse.tables()}
    if not warehouse.url:
        paths = sorted((warehouse.directory / "stage").rglob("*.parquet"))
        names |= {path.relative_to(warehouse.directory).as_posix(): f"read_parquet('{path}')" for path in paths}
    return {name: sorted(map(str, warehouse.query(f"select * from {sql}"))) for name, sql in names.items()}


def others(warehouse: Warehouse) -> dict[str, list[str]]:
    """What everything but the state has of nobody else; rows of children are told by the row id of their root."""
    hers = [
        row_id
        for root, column in (("customers", "id"), ("conversation_items", "customer_id"))
        for row_id, owner in warehouse.rows("row_id", column, table=f"bronze.bronze_gladly__{root}")
        if owner == CUSTOMER
    ]
    return {
        name: [row for row in rows if not any(value in row for value in (*VALUES, *hers))]
        for name, rows in everything(warehouse).items()
        if "etl_" not in name
    }


def traces(warehouse: Warehouse) -> list[str]:
    """Where anything of the person still is: in rows, in manifests, in bytes."""
    found = [
        f"{name}: {value}"
        for name, rows in everything(warehouse).items()
        for value in VALUES
        if value.lower() in "\n".join(rows).lower()
    ]
    if warehouse.url:
        return found
    DuckDBConnectionManager.close_all_connections()
    paths = [*(warehouse.directory / "stage").rglob("*"), warehouse.directory / "warehouse.duckdb"]
    whole = {path: path.read_bytes() for path in paths if path.is_file()}
    return found + [
        f"{path}: {value}" for path, content in whole.items() for value in VALUES if value.encode() in content
    ]


def check_batches(warehouse: Warehouse) -> None:
    """Every stored batch is what the ledger, and the batch or its generation itself, say that it is."""
    stored = warehouse.ledger("location", "row_count", "byte_count", "sha256")
    for location, count, size, digest in stored:
        if location is None:
            assert count == 0
        elif warehouse.url:
            ((comment,),) = warehouse.query("select obj_description($name::regclass)", name=location)
            own = Batch.from_json(comment)
            assert (own.row_count, own.byte_count, own.sha256) == (count, size, digest)
            assert warehouse.query(f"select count(*) from {location}") == [(count,)]
        else:
            path = warehouse.directory / location
            assert file_facts(path) == (size, digest)
            assert warehouse.query(f"select count(*) from read_parquet('{path}')") == [(count,)]
    for manifest in (warehouse.directory / "stage").glob("*/manifest.json"):
        generation = open_generation(manifest.parent)
        generation.check_files()
        counts = {table.file.name: table.facts.row_count for table in generation.tables.values()}
        assert counts == {Path(row[0]).name: row[1] for row in stored if row[0] and manifest.parent.name in row[0]}
        assert generation.record_count == generation.tables[generation.root_table].facts.row_count
        for table in generation.tables.values():
            assert json.loads(table.sidecar.read_text())["row_count"] == table.facts.row_count


@pytest.mark.parametrize("arguments", [("--customer-id", CUSTOMER), ("--email", EMAIL)], ids=["id", "address"])
def test_a_customer_leaves_every_part_of_the_nightly_export_and_nobody_else_is_touched(
    warehouse: Warehouse, arguments: tuple[str, str]
) -> None:
    warehouse.build()
    before = others(warehouse)
    assert len(traces(warehouse)) > 20
    erase(*arguments)
    assert traces(warehouse) == []
    assert others(warehouse) == before
    check_batches(warehouse)
    # Nothing brings the person back: no later build, no replay of the lines, none of the package.
    build = warehouse.build()
    assert {build.results[f"bronze_gladly__{name}"] for name in (*ROOTS, *CHILDREN)} == {"nothing new"}
    for table in (*(f"{root}_raw" for root in ROOTS), *ROOTS):
        assert status(["replay", f"gladly.{table}", "night-1"]) == 0
        warehouse.build()
    assert traces(warehouse) == []
    after = others(warehouse)
    for name in (name for name in before if not name.startswith("stage")):
        assert len(after[name]) == len(before[name]), name


def test_what_waits_while_a_customer_is_erased_loads_without_them(warehouse: Warehouse) -> None:
    warehouse.build("--exclude", "bronze_gladly__conversation_items__content+")
    assert {row[0] for row in warehouse.ledger("status")} == {"loaded", "landed"}
    note = {"type": "CONVERSATION_NOTE", "body": f"\nas {EMAIL} told us"}
    land(warehouse, "customers", [{**ANNA, "name": "Zx81 Anna M."}, {**JOHN, "name": "John M."}], "night-2")
    land(
        warehouse,
        "conversation_items",
        [{**ANNAS[0], "id": "i-5"}, item("i-6", OTHER, "conv-1", content=note)],
        "night-2",
    )
    # Of this one nothing is left.
    land(warehouse, "conversation_items", [{**ANNAS[1], "id": "i-7"}], "night-3")
    erase("--customer-id", CUSTOMER, "--email", EMAIL)
    assert traces(warehouse) == []
    check_batches(warehouse)
    warehouse.build()
    assert {row[0] for row in warehouse.ledger("status")} == {"loaded"}
    assert warehouse.rows("id", "name", table="bronze.bronze_gladly__customers") == [(OTHER, "John M.")]
    assert warehouse.rows("id", table="bronze.bronze_gladly__conversation_items") == [("i-3",), ("i-4",), ("i-6",)]
    assert warehouse.rows("type", "body", table="bronze.bronze_gladly__conversation_items__content") == [
        ("CONVERSATION_NOTE", "\nas (erased) told us"), ("EMAIL", None), ("PHONE_CALL", None),
    ]  # fmt: skip
    assert traces(warehouse) == []
    check_batches(warehouse)


def test_a_refused_delivery_loses_the_persons_lines_and_its_others_keep_their_numbers(warehouse: Warehouse) -> None:
    lines = [{"line": text} for text in (json.dumps(ANNA), json.dumps(JOHN)[:-1], json.dumps(ANNA)[:-1])]
    warehouse.deliver(lines, columns=["line"], source_table="gladly.customers_raw", batch_id="night-2")
    damaged = "line line 2: is not JSON"
    assert damaged in warehouse.dbt("build").failure()
    erase("--customer-id", CUSTOMER)
    assert traces(warehouse) == []
    check_batches(warehouse)
    assert damaged in warehouse.dbt("build").failure()
    assert warehouse.rows("id", table="bronze.bronze_gladly__customers") == [(OTHER,)]

"""The shipped conversation items in a scratch project: models and options as they are, and objects from bronze."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import requests

from demo.sandbox import Sandbox
from loaders.batch import columns_of
from loaders.nested import JsonLines, MemoryTable, TableFacts, rebuild
from loaders.nested.json_text import write_json
from loaders.settings import read_yaml
from warehouse import REPOSITORY, Warehouse

SOURCE, ROOT = "gladly", "conversation_items"
BRONZE = REPOSITORY / "models" / "bronze" / "gladly"


def declare_items(warehouse: Warehouse) -> None:
    """Make the scratch project one of conversation items alone."""
    warehouse.remove("models/bronze_contacts.sql")
    (source,) = read_yaml(BRONZE / "_gladly__sources.yml")["sources"]
    tables = [{key: table[key] for key in ("name", "config", "columns") if key in table} for table in source["tables"]]
    tables = [table for table in tables if table["name"].startswith(ROOT)]
    sources = [{"name": SOURCE, "tables": tables}]
    warehouse.write("models/_contacts__sources.yml", json.dumps({"sources": sources}, default=str))
    for path in BRONZE.glob(f"bronze_{SOURCE}__{ROOT}*.sql"):
        warehouse.write(f"models/{path.name}", path.read_text().replace("config(", "config(schema='bronze', ", 1))


def land_lines(warehouse: Warehouse, lines: Sequence[str], batch_id: str) -> None:
    """Land one raw delivery of conversation items."""
    rows = [{"line": line} for line in lines]
    warehouse.deliver(rows, columns=["line"], batch_id=batch_id, source_table=f"{SOURCE}.{ROOT}_raw")


def nights_of_items(count: int) -> Iterator[tuple[str, list[str]]]:
    """Real nights of the sandbox, as many as hold `count` items: each with the lines of its file."""
    sandbox = Sandbox(today=date(2026, 1, 31), contacts_per_day=60, requests_per_minute=None)
    with sandbox:
        jobs = sorted(json.loads(_read(sandbox, "export/jobs")), key=lambda job: job["updatedAt"])
        for job in jobs:
            if count > 0 and job["status"] == "COMPLETED":
                lines = _read(sandbox, f"export/jobs/{job['id']}/files/{ROOT}.jsonl").splitlines()[:count]
                count -= len(lines)
                yield job["id"], lines


def objects_of(lines: Sequence[str]) -> dict[str, bytes]:
    """The last version of every item by its id, in one spelling."""
    return {value["id"]: write_json(value, sort_keys=True) for value in JsonLines(enumerate(lines, 1), name="lines")}


def objects_in_bronze(warehouse: Warehouse) -> dict[str, bytes]:
    """Every item rebuilt from the bronze tables, in the same spelling."""
    paths: dict[str, dict[str, str]] = {}
    for table, columns in warehouse.ledger("source_table", "columns"):
        if not table.endswith("_raw"):
            paths.setdefault(table.removeprefix(f"{SOURCE}."), {}).update(columns_of(columns))
    # Children stand behind their parents.
    known = sorted((columns["row_id"].count("."), name) for name, columns in paths.items() if columns)
    names = [ROOT, *(name for _, name in known if name != ROOT)]
    tables = {name: _table(warehouse, name, paths) for name in names}
    found = list(rebuild(SimpleNamespace(tables=tables)))
    return {value["id"]: write_json(value, sort_keys=True) for value in found}


def _table(warehouse: Warehouse, name: str, paths: Mapping[str, Mapping[str, str]]) -> MemoryTable:
    columns = paths[name]
    order = "root_row_id, cast(list_index as integer)" if name != ROOT else "row_id"
    rows = warehouse.query(
        f"select {', '.join(columns)} from {warehouse.of(f'bronze.bronze_{SOURCE}__{name}')} order by {order}"
    )
    data = {column: pa.array([row[place] for row in rows], pa.string()) for place, column in enumerate(columns)}
    by_path = {other["row_id"]: table for table, other in paths.items() if other}
    parent = None if name == ROOT else by_path[columns["parent_row_id"]]
    facts = TableFacts(name, columns["row_id"], parent, columns, {}, len(rows))
    return MemoryTable(facts, pa.table({**data, "record_number": pa.array(range(len(rows)), pa.int64())}))


def _read(sandbox: Sandbox, path: str) -> str:
    answer = requests.get(f"{sandbox.url}/api/v1/{path}", auth=sandbox.credentials, timeout=60)
    answer.raise_for_status()
    return answer.content.decode()


def as_rows(warehouse: Warehouse) -> list[tuple[Any, ...]]:
    """Every value of the root's bronze table."""
    return warehouse.whole(f"bronze.bronze_{SOURCE}__{ROOT}")

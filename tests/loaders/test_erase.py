"""python -m loaders.erase: a person is gone, from every table and every byte, and nobody else is touched."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg2
import pytest
from dbt.adapters.duckdb.connections import DuckDBConnectionManager

from loaders.batch import Batch
from loaders.erase.__main__ import main
from loaders.nested import NestedOptions, open_generation, spill
from loaders.stage import open_stage
from loaders.stage.parquet import read_batch, rewrite_batch
from loaders.status.__main__ import main as status
from warehouse import Row, Warehouse

CUSTOMER, EMAIL, GUEST = "cust-Zx81erasable", "Anna.Zx81@Hotel.example", "4711"
PERSON = ["--customer-id", CUSTOMER, "--email", EMAIL.lower()]
OTHER, OTHERS_EMAIL = "cust-Zx81erasable2", "joanna.zx81@hotel.example"

CONTACTS = "desk.contacts"
TAGS = {"notes": "text", "link": "text", "who": "customer_id"}


def table(name: str, key: Sequence[str], columns: Sequence[str], tags: Mapping[str, str | bool]) -> dict[str, Any]:
    described = [
        {"name": one, **({"config": {"meta": {"personal": tags[one]}}} if one in tags else {})} for one in columns
    ]
    return {"name": name, "config": {"meta": {"record_key": list(key)}}, "columns": described}


def declare(warehouse: Warehouse, **tags: str | bool) -> None:
    """Contacts and their events, people, silver, gold and a history of contacts."""
    tags = {**TAGS, **tags}
    tables = [
        table("contacts", ["contact_id"], ["contact_id", "customer_id", "status", "notes", "link"], tags),
        table("events", [], ["contact_id", "who", "event"], tags),
        table("people", ["guest_id"], ["guest_id", "email", "name"], tags),
        table("items_raw", [], ["json"], tags),
    ]
    warehouse.write("models/_contacts__sources.yml", json.dumps({"sources": [{"name": "desk", "tables": tables}]}))
    warehouse.files.pop("models/bronze_contacts.sql", None)
    (warehouse.directory / "project/models/bronze_contacts.sql").unlink(missing_ok=True)
    for name, strategy in (("contacts", "bronze_merge"), ("events", "batch_replace"), ("people", "bronze_merge")):
        config = f"{{{{ config(materialized='{strategy}', schema='bronze') }}}}"
        select = f"select * from {{{{ landed('desk', '{name}') }}}}"
        warehouse.write(f"models/bronze_desk__{name}.sql", f"{config} {select}")
    warehouse.write("models/silver_contacts.sql", _SILVER)
    warehouse.write("models/fct_contacts.sql", _GOLD)
    warehouse.write("snapshots/snapshot_contacts.yml", json.dumps(_SNAPSHOT))


_SILVER = """
{{ config(materialized='incremental', incremental_strategy='record_hash_merge', unique_key='record_key',
          schema='silver', post_hook='{{ save_watermark() }}') }}
select contact_id, customer_id, notes, record_key, record_hash, update_date from {{ ref('bronze_desk__contacts') }}
{% if is_incremental() %} where update_date >= {{ watermark() }} {% endif %}
"""
_GOLD = (
    "{{ config(materialized='table', schema='gold') }} select contact_id, customer_id from {{ ref('silver_contacts') }}"
)
_SNAPSHOT = {
    "snapshots": [
        {
            "name": "snapshot_contacts",
            "relation": "ref('silver_contacts')",
            "config": {
                "schema": "snapshots",
                "unique_key": "record_key",
                "strategy": "check",
                "check_cols": ["record_hash"],
            },
        }
    ]
}


def contact(key: str, customer: str, status: str = "OPEN", notes: str = "", link: str = "") -> Row:
    return {"Contact ID": key, "Customer ID": customer, "Status": status, "Notes": notes, "Link": link}


def person(guest: str, email: str, name: str = "Anna") -> Row:
    return {"Guest ID": guest, "Email": email, "Name": name}


def event(key: str, who: str, name: str = "STARTED") -> Row:
    return {"Contact ID": key, "Who": who, "Event": name}


@pytest.fixture(params=["duckdb", "postgres"])
def warehouse(request: pytest.FixtureRequest) -> Warehouse:
    """An empty warehouse of each engine that people are erased from."""
    warehouse: Warehouse = request.getfixturevalue(f"{request.param}_warehouse")
    return warehouse


@pytest.fixture
def erase(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the command in the warehouse's own project; its exit code, its output, its errors."""
    warehouse.enter(monkeypatch)

    def run(*arguments: str) -> tuple[int, str, str]:
        # dbt, in this process, would keep the file open.
        DuckDBConnectionManager.close_all_connections()
        capsys.readouterr()
        return main(arguments), *capsys.readouterr()

    return run


def everything(warehouse: Warehouse) -> dict[str, list[str]]:
    """Every row of every table and stored batch, as text."""
    rows = {name: [str(row) for row in warehouse.query(f"select * from {name}")] for name in warehouse.tables()}
    if not warehouse.url:
        for path in sorted((warehouse.directory / "stage").rglob("*.parquet")):
            rows[path.name] = [str(row) for row in warehouse.query(f"select * from read_parquet('{path}')")]
    return rows


def others(warehouse: Warehouse) -> dict[str, list[str]]:
    """What everything has of other people."""
    rows = everything(warehouse).items()
    return {
        name: sorted(one for one in found if not any(value in one for value in (f"{CUSTOMER}'", EMAIL, "C-1", "C-3")))
        for name, found in rows
        if "etl_" not in name
    }


def bytes_of(warehouse: Warehouse) -> bytes:
    """All that lies on the disk: the database file and the stage, or the tables of a PostgreSQL database."""
    if not warehouse.url:
        DuckDBConnectionManager.close_all_connections()
        paths = [path for path in warehouse.directory.rglob("*") if path.is_file() and "project" not in path.parts]
        paths = [path for path in paths if path.suffix in (".duckdb", ".wal", ".parquet", ".json")]
        return b"".join(path.read_bytes() for path in paths if path.name != "profiles.yml")
    warehouse.query("checkpoint")
    ((directory, database),) = warehouse.query(
        "select current_setting('data_directory'), oid from pg_database where datname = current_database()"
    )
    return b"".join(path.read_bytes() for path in Path(directory, "base", str(database)).iterdir())


def traces(warehouse: Warehouse, *values: str) -> list[str]:
    """Where any of the values still is."""
    found = [
        name
        for name, rows in everything(warehouse).items()
        for row in rows
        if any(value.lower() in row.replace(OTHER, "").replace(OTHERS_EMAIL, "").lower() for value in values)
    ]
    whole = bytes_of(warehouse).replace(OTHER.encode(), b"").replace(OTHERS_EMAIL.encode(), b"")
    return found + [f"bytes: {value}" for value in values if value.encode() in whole]


def fill(warehouse: Warehouse) -> None:
    """Two days; the second changes what the first said, and has a batch that stays pending."""
    declare(warehouse)
    mine = contact("C-1", CUSTOMER, notes=f"called {EMAIL}", link=f"https://desk.example/customer/{CUSTOMER}?tab=1")
    warehouse.deliver([mine, contact("C-2", OTHER)], source_table=CONTACTS, batch_id="day-1")
    # The second event does not say whose it is, but its contact does.
    warehouse.deliver(
        [event("C-1", CUSTOMER), event("C-1", "", "ENDED"), event("C-2", OTHER)],
        source_table="desk.events",
        batch_id="2026-01-01",
    )
    people = [person(GUEST, EMAIL), person("47", OTHERS_EMAIL, "Joanna")]
    warehouse.deliver(people, source_table="desk.people", batch_id="people")
    warehouse.build()
    warehouse.deliver([contact("C-1", CUSTOMER, "ENDED"), contact("C-2", OTHER, "ENDED")], source_table=CONTACTS)
    warehouse.build()
    warehouse.deliver([contact("C-3", CUSTOMER), contact("C-4", OTHER)], source_table=CONTACTS, batch_id="pending")


def test_a_person_is_gone_from_every_table_and_every_byte_and_nobody_else_is_touched(
    warehouse: Warehouse, erase: Any
) -> None:
    fill(warehouse)
    before = others(warehouse)
    assert len(traces(warehouse, CUSTOMER, EMAIL)) > 10
    assert f"bytes: {CUSTOMER}" in traces(warehouse, CUSTOMER)
    code, output, errors = erase(*PERSON)
    assert (code, errors) == (0, "")
    assert traces(warehouse, CUSTOMER, EMAIL, "C-1'", "C-3'", "'Anna'") == []
    assert others(warehouse) == before
    # One line of counts, on the screen and in the project's log, and no value in it.
    line = output.removesuffix("\n")
    assert line.count("\n") == 0
    for part in (
        "Z erased by customer_id, email: ",
        "stage desk.contacts 3 rows",
        "stage desk.events 2 rows",
        "bronze.bronze_desk__contacts 1 rows",
        "silver.silver_contacts 1 rows",
        "gold.fct_contacts 1 rows",
        "snapshots.snapshot_contacts 2 rows",
    ):
        assert part in line
    log = Path("logs/erasures.log")
    assert log.read_text().splitlines()[-1] == line
    assert CUSTOMER not in log.read_text()
    # What is pending loads without the person, and what was loaded stays as it is.
    warehouse.build()
    assert warehouse.rows("contact_id", table="bronze.bronze_desk__contacts") == [("C-2",), ("C-4",)]
    assert traces(warehouse, CUSTOMER, EMAIL) == []


def test_a_replayed_batch_does_not_bring_the_person_back(warehouse: Warehouse, erase: Any) -> None:
    fill(warehouse)
    erase(*PERSON)
    assert status(["replay", "desk.events", "2026-01-01"]) == 0
    warehouse.build()
    assert traces(warehouse, CUSTOMER, EMAIL) == []
    assert warehouse.rows("contact_id", table="bronze.bronze_desk__events") == [("C-2",)]


def test_a_rewritten_batch_keeps_its_numbers_and_says_what_it_holds_now(warehouse: Warehouse, erase: Any) -> None:
    declare(warehouse)
    rows = [contact("C-1", OTHER), contact("C-2", CUSTOMER), contact("C-3", OTHER, notes=f"{EMAIL}, {EMAIL};{EMAIL}")]
    landed = warehouse.deliver(rows, source_table=CONTACTS, batch_id="b")
    erase(*PERSON)
    names = ("row_count", "byte_count", "sha256", "location", "extracted_at")
    ((count, size, digest, location, extracted_at),) = warehouse.ledger(*names)
    assert (count, location, extracted_at) == (2, landed.location, landed.extracted_at)
    assert (size, digest) != (landed.byte_count, landed.sha256)
    if warehouse.url:
        stored = warehouse.query(f"select record_number, notes from {location} order by 1")
        ((comment,),) = warehouse.query("select obj_description($table::regclass)", table=location)
        own = Batch.from_json(comment)
        with psycopg2.connect(warehouse.url) as connection, connection.cursor() as cursor:
            found = hashlib.sha256()
            copy = f"copy (select * from {location} order by record_number) to stdout (format csv, force_quote *)"
            cursor.copy_expert(copy, type("Sink", (), {"write": lambda _, data: found.update(data)})())
        connection.close()
        assert found.hexdigest() == digest
    else:
        path = warehouse.directory / location
        stored = warehouse.query(f"select record_number, notes from read_parquet('{path}') order by 1")
        own = read_batch(path)
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
        assert oct(path.stat().st_mode)[-3:] == oct((warehouse.directory / "warehouse.duckdb").stat().st_mode)[-3:]
    assert (own.row_count, own.byte_count, own.sha256) == (count, size, digest)
    assert stored == [(1, ""), (3, "(erased), (erased);(erased)")]


def test_a_dry_run_counts_what_would_go_and_writes_nothing(warehouse: Warehouse, erase: Any) -> None:
    fill(warehouse)
    before = (everything(warehouse), warehouse.ledger("*"), warehouse.stage())
    code, output, errors = erase(*PERSON, "--dry-run")
    assert (code, errors) == (0, "")
    assert output.startswith("would be erased: ")
    assert "bronze.bronze_desk__contacts 1 rows" in output
    assert (everything(warehouse), warehouse.ledger("*"), warehouse.stage()) == before
    assert not Path("logs/erasures.log").exists()
    assert f": {output.removeprefix('would be erased: ')}" in erase(*PERSON)[1]


def test_a_text_of_somebody_else_keeps_its_row_and_loses_the_mention(warehouse: Warehouse, erase: Any) -> None:
    declare(warehouse)
    notes = f"with {EMAIL.upper()}. And cc {OTHERS_EMAIL}, x{EMAIL.lower()}, {EMAIL}.br"
    warehouse.deliver([contact("C-2", OTHER, notes=notes)], source_table=CONTACTS)
    warehouse.build()
    assert erase(*PERSON)[::2] == (0, "")
    left = f"with (erased). And cc {OTHERS_EMAIL}, x{EMAIL.lower()}, {EMAIL}.br"
    for name in ("bronze.bronze_desk__contacts", "silver.silver_contacts", "snapshots.snapshot_contacts"):
        assert warehouse.rows("contact_id", "notes", table=name) == [("C-2", left)]
    # Delivered again as it was, the row is unchanged, and what was erased does not come back.
    warehouse.deliver([contact("C-2", OTHER, notes=notes)], source_table=CONTACTS)
    assert warehouse.build().results["bronze_desk__contacts"].endswith("0 inserted, 0 updated, 1 unchanged")
    assert warehouse.rows("notes", table="bronze.bronze_desk__contacts") == [(left,)]


def test_a_mention_in_a_column_without_a_tag_is_said_and_the_command_fails(warehouse: Warehouse, erase: Any) -> None:
    declare(warehouse, notes="name")
    warehouse.deliver([contact("C-2", OTHER, notes=f"by {EMAIL}")], source_table=CONTACTS)
    warehouse.build()
    said = "bronze.bronze_desk__contacts.notes mentions the person in 1 rows; tag the column `personal: text`"
    code, _, errors = erase(*PERSON, "--dry-run")
    assert code == 1
    assert said in errors
    code, _, errors = erase(*PERSON)
    assert code == 1
    assert said in errors
    declare(warehouse, notes="text")
    assert erase(*PERSON)[0] == 0
    assert traces(warehouse, EMAIL) == []


def test_a_guest_is_found_where_a_column_is_the_guests_id_and_not_by_the_number(
    warehouse: Warehouse, erase: Any
) -> None:
    declare(warehouse)
    people = [person(GUEST, EMAIL), person("47", OTHERS_EMAIL, "Joanna"), person("5", f"{GUEST}@x.example", "Max")]
    warehouse.deliver(people, source_table="desk.people")
    warehouse.deliver([contact(GUEST, OTHER, notes=f"room {GUEST}")], source_table=CONTACTS)
    warehouse.build()
    code, output, _ = erase("--guest-id", GUEST)
    assert code == 0
    counts = output.rstrip().split("erased by guest_id: ")[1].split(", ")
    assert sorted(counts) == ["bronze.bronze_desk__people 1 rows", "stage desk.people 1 rows"]
    assert warehouse.rows("guest_id", table="bronze.bronze_desk__people") == [("47",), ("5",)]
    assert warehouse.rows("contact_id", table="bronze.bronze_desk__contacts") == [(GUEST,)]


def test_what_belongs_to_the_person_is_found_by_the_key_of_their_rows(warehouse: Warehouse, erase: Any) -> None:
    declare(warehouse)
    warehouse.deliver([person(GUEST, f" {EMAIL.upper()}")], source_table="desk.people")
    warehouse.deliver(
        [{"Stay ID": "S-1", "Guest ID": GUEST}, {"Stay ID": "S-2", "Guest ID": "47"}], source_table="desk.stays"
    )
    warehouse.build()
    assert erase("--email", EMAIL)[0] == 0
    left = [rows for name, rows in everything(warehouse).items() if "stays" in name]
    assert [len(rows) for rows in left] == [1]
    assert "S-2" in left[0][0]


def test_reasons_in_the_ledger_lose_the_keys_that_they_name(warehouse: Warehouse, erase: Any) -> None:
    declare(warehouse)
    warehouse.deliver(
        [person(GUEST, EMAIL, "a"), person(GUEST, EMAIL, "b"), person("47", "", "c"), person("47", "", "d")],
        source_table="desk.people",
    )
    warehouse.dbt("build", "--select", "bronze_desk__people").failure()
    assert erase("--guest-id", GUEST, "--email", EMAIL)[0] == 0
    ((reason,),) = warehouse.ledger("reason")
    assert "2 keys of guest_id have two contents: '(erased)' (records 1 and 2), '47' (records 3 and 4)" in reason


RAW = [
    {"id": "i-1", "customerId": CUSTOMER, "body": "hello"},
    {"id": "i-2", "customerId": OTHER, "body": f"\n{EMAIL}\t<{EMAIL}> wrote"},
    {"id": "i-3", "customerId": OTHER, "to": [EMAIL.lower()], "parts": [{"no": 1}]},
    {"id": "i-4", "customerId": OTHER, "body": "", "parts": [{"no": 1}, {"no": 2}]},
]


def test_of_a_raw_delivery_the_persons_lines_go_and_other_lines_lose_the_mention(
    warehouse: Warehouse, erase: Any
) -> None:
    declare(warehouse)
    escaped = [json.dumps(one).replace("<", "\\u003c") for one in RAW]
    warehouse.deliver([{"JSON": line} for line in escaped], source_table="desk.items_raw")
    assert erase(*PERSON)[0] == 0
    assert traces(warehouse, CUSTOMER, EMAIL) == []
    ((location,),) = warehouse.ledger("location")
    place = location if warehouse.url else f"read_parquet('{warehouse.directory / location}')"
    lines = [json.loads(line) for (line,) in warehouse.query(f"select json from {place} order by record_number")]
    assert lines == [{**RAW[1], "body": "\n(erased)\t<(erased)> wrote"}, RAW[3]]


def test_an_object_goes_with_all_its_children_and_its_generation_says_so(
    duckdb_warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = duckdb_warehouse
    declare(warehouse)
    options = NestedOptions("items", root_key=["id"])
    generation = spill(RAW, warehouse.directory / "stage", options)
    assert generation
    for name, stored in generation.tables.items():
        warehouse.deliver(batch_id="job", source_table=f"desk.{name}")
        warehouse.query(
            "update hotelmind_warehouse.etl_batches set location = $location, row_count = $count, sha256 = $digest"
            " where source_table = $table",
            location=f"stage/{generation.name}/{stored.file.name}",
            count=stored.facts.row_count,
            digest=stored.sha256,
            table=f"desk.{name}",
        )
    for path in (warehouse.directory / "stage").glob("*.parquet"):
        path.unlink()
    tables = [
        table("items", ["id"], ["customerid", "body"], {"customerid": "customer_id", "body": "text"}),
        table("items__to", [], ["value"], {"value": "email"}),
    ]
    warehouse.write("models/_items__sources.yml", json.dumps({"sources": [{"name": "desk", "tables": tables}]}))
    warehouse.enter(monkeypatch)
    DuckDBConnectionManager.close_all_connections()
    assert main(PERSON) == 0
    assert traces(warehouse, CUSTOMER, EMAIL) == []
    left = open_generation(generation.directory)
    left.check_files()
    assert {name: one.facts.row_count for name, one in left.tables.items()} == {
        "items": 2,
        "items__to": 0,
        "items__parts": 2,
    }
    assert left.record_count == 2
    ledger = "select source_table, row_count, sha256 from hotelmind_warehouse.etl_batches order by 1"
    assert warehouse.query(ledger) == sorted(
        (f"desk.{name}", one.facts.row_count, one.sha256) for name, one in left.tables.items()
    )


def test_what_a_killed_erasure_left_is_finished_by_the_next(
    duckdb_warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = duckdb_warehouse
    fill(warehouse)
    warehouse.enter(monkeypatch)
    DuckDBConnectionManager.close_all_connections()
    # Killed after the first file: it is rewritten, and the ledger has its former checksum.
    (location,) = (row[0] for row in warehouse.ledger("location", "batch_id") if row[1] == "day-1")
    rewrite_batch(warehouse.directory / location, lambda rows: rows.slice(1))
    assert main(PERSON) == 0
    assert traces(warehouse, CUSTOMER, EMAIL) == []
    for path, digest in warehouse.ledger("location", "sha256"):
        assert hashlib.sha256((warehouse.directory / path).read_bytes()).hexdigest() == digest


def test_what_a_killed_process_left_half_written_is_said(
    duckdb_warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse = duckdb_warehouse
    declare(warehouse)
    warehouse.deliver([contact("C-1", CUSTOMER)], source_table=CONTACTS)
    stage = warehouse.directory / "stage"
    hidden = stage / ".contacts_000000000000.1"
    hidden.write_bytes(CUSTOMER.encode())
    # Of these nobody else can be at work in: the database is ours.
    for name in (".items_000000000000.generation", "items_111111111111"):
        (stage / name).mkdir()
        (stage / name / "manifest.json").write_text(CUSTOMER)
    warehouse.enter(monkeypatch)
    assert main(PERSON) == 1
    assert "stage/.contacts_000000000000.1 is half written and cannot be searched" in capsys.readouterr().err
    old = time.time() - 90_000
    os.utime(hidden, (old, old))
    assert main(PERSON) == 0
    assert sorted(path.suffix for path in stage.iterdir()) == [".parquet"]
    assert traces(warehouse, CUSTOMER) == []


def test_a_fresh_file_keeps_views_keys_and_comments_and_is_never_half_there(
    duckdb_warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = duckdb_warehouse
    fill(warehouse)
    warehouse.query('create view gold.seen as select contact_id from "warehouse"."gold"."fct_contacts"')
    warehouse.query("comment on column gold.fct_contacts.contact_id is 'kept'")
    (warehouse.directory / "warehouse.duckdb").chmod(0o640)
    warehouse.enter(monkeypatch)
    DuckDBConnectionManager.close_all_connections()
    assert main(PERSON) == 0
    assert warehouse.query("select * from gold.seen") == [("C-2",)]
    assert warehouse.query("select comment from duckdb_columns() where comment = 'kept'") == [("kept",)]
    with pytest.raises(Exception, match="Duplicate key"):
        warehouse.query(
            "insert into hotelmind_warehouse.etl_watermarks (table_name) values ('desk.contacts'), ('desk.contacts')"
        )
    assert oct((warehouse.directory / "warehouse.duckdb").stat().st_mode)[-3:] == "640"
    assert [path.name for path in warehouse.directory.glob(".*")] == []


def test_erasing_waits_for_the_file_and_says_who_has_it(
    duckdb_warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    duckdb_warehouse.deliver([contact("C-1", CUSTOMER)], source_table=CONTACTS)
    before = duckdb_warehouse.stage()
    duckdb_warehouse.enter(monkeypatch)
    with duckdb_warehouse.locked():
        assert main(PERSON) == 1
    assert "warehouse.duckdb: locked by another process for 1 s" in capsys.readouterr().err
    assert duckdb_warehouse.stage() == before


def test_a_warehouse_that_was_never_filled_has_nobody(warehouse: Warehouse, erase: Any) -> None:
    code, output, errors = erase(*PERSON)
    if warehouse.url:
        assert (errors, code, output[20:]) == ("", 0, " erased by customer_id, email: nothing\n")
    else:
        assert code == 1
        assert "warehouse.duckdb: there is no warehouse yet" in errors


def test_another_schema_is_another_warehouse(warehouse: Warehouse, erase: Any) -> None:
    warehouse.deliver([contact("C-1", CUSTOMER)], source_table=CONTACTS)
    anna = Warehouse(warehouse.engine, warehouse.directory, warehouse.url, schema="anna")
    anna.deliver([contact("C-1", CUSTOMER)], source_table=CONTACTS)
    anna.arguments()
    assert erase(*PERSON)[0] == 0
    assert [warehouse.ledger("row_count"), anna.ledger("row_count")] == [[(1,)], [(0,)]]


def test_a_tag_that_is_no_word_of_ours_is_named(warehouse: Warehouse, erase: Any) -> None:
    declare(warehouse, notes="secret", who="customer")
    code, _, errors = erase(*PERSON)
    assert code == 2
    words = "expected one of: customer_id, guest_id, email, text, name, phone, address, false"
    assert f"_contacts__sources.yml: desk.contacts.notes: personal is 'secret', {words}" in errors
    assert "desk.events.who: personal is 'customer'" in errors


@pytest.mark.parametrize("arguments", [[], ["--email", " "]], ids=["nothing", "a blank"])
def test_somebody_has_to_be_named(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "name the person: --customer-id, --guest-id or --email" in capsys.readouterr().err


def test_the_stage_still_takes_what_is_erased_for_known(warehouse: Warehouse, erase: Any) -> None:
    fill(warehouse)
    erase(*PERSON)
    assert open_stage(warehouse.target).adopt() == []

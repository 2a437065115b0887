"""python -m loaders.operational: extraction by watermark from a real PostgreSQL, with real open transactions."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg2
import pytest

from loaders.operational.__main__ import main
from warehouse import Warehouse

T0 = datetime(2026, 5, 1, 10, tzinfo=UTC)


class Hotel:
    """One table of a source database, a warehouse that loads it, and the loader between them."""

    def __init__(self, warehouse: Warehouse, url: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.warehouse = warehouse
        self.url = url
        self._capsys = capsys
        self.declare()

    def declare(self, **meta: Any) -> None:
        """Declare the table `contacts`: keyed by id, read by updated_at."""
        declared = {"record_key": ["id"], "cursor": "updated_at", "overlap_minutes": 0, **meta}
        self.warehouse.model(source="operational", record_key=(), source_meta=declared)

    def execute(self, sql: str, *parameters: Any) -> None:
        """One committed statement in the source."""
        with self.session() as cursor:
            cursor.execute(sql, parameters)

    @contextmanager
    def session(self) -> Iterator[Any]:
        """A session of the application; its transaction commits at the end."""
        connection = psycopg2.connect(self.url)
        try:
            with connection, connection.cursor() as cursor:
                yield cursor
        finally:
            connection.close()

    def load(self, *arguments: str) -> tuple[int, str, str]:
        """The loader's exit code, lines and errors."""
        code = main(list(arguments))
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err

    def run(self) -> str:
        """Loader and build; what the build did."""
        code, _, errors = self.load()
        assert code == 0, errors
        return self.warehouse.build().results["bronze_contacts"]

    def watermark(self) -> datetime | None:
        return self.warehouse.watermark("operational.contacts")

    def stored(self) -> dict[str, str]:
        return dict(self.warehouse.rows("id", "v"))


@pytest.fixture
def hotel(
    warehouse: Warehouse, source_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Hotel:
    warehouse.enter(monkeypatch)
    monkeypatch.setenv("OPERATIONAL_DATABASE_URL", source_url)
    return Hotel(warehouse, source_url, capsys)


TABLE = "create table contacts (id int primary key, v text, updated_at timestamptz)"


def insert(hotel: Hotel, *rows: tuple[int, str, datetime | None]) -> None:
    for row in rows:
        hotel.execute("insert into contacts values (%s, %s, %s)", *row)


def minutes(count: float) -> datetime:
    return T0 + timedelta(minutes=count)


def test_a_row_that_shares_the_watermarks_very_moment_is_loaded(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0), (2, "b", T0), (3, "c", T0))
    assert hotel.run() == "1 batch: 3 landed, 3 inserted, 0 updated, 0 unchanged"
    insert(hotel, (4, "d", T0))
    assert hotel.run() == "1 batch: 4 landed, 1 inserted, 0 updated, 3 unchanged"


def test_a_late_commit_is_loaded_by_the_next_run_within_the_overlap(hotel: Hotel) -> None:
    # The application set updated_at itself, and committed a later row first.
    hotel.declare(overlap_minutes=10)
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0))
    with hotel.session() as late:
        late.execute("insert into contacts values (2, 'b', %s)", [minutes(4)])
        insert(hotel, (3, "c", minutes(5)))
        assert hotel.run() == "1 batch: 2 landed, 2 inserted, 0 updated, 0 unchanged"
    assert hotel.run() == "1 batch: 3 landed, 1 inserted, 0 updated, 2 unchanged"


def test_the_watermark_waits_at_the_start_of_the_oldest_open_transaction(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    with hotel.session() as late:
        late.execute("select now()")
        (started,) = late.fetchone()
        hotel.execute("insert into contacts values (1, 'a', clock_timestamp())")
        assert hotel.run() == "1 batch: 1 landed, 1 inserted, 0 updated, 0 unchanged"
        assert hotel.watermark() is None
        late.execute("insert into contacts values (2, 'b', %s)", [started])
    hotel.run()
    assert hotel.stored() == {"1": "a", "2": "b"}
    assert hotel.watermark() > started


def test_a_prepared_transaction_holds_the_watermark_too(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0))
    hotel.run()
    connection = psycopg2.connect(hotel.url)
    with connection.cursor() as cursor:
        cursor.execute("insert into contacts values (2, 'b', now()); prepare transaction 'late'")
    connection.close()
    hotel.execute("insert into contacts values (3, 'c', clock_timestamp())")
    hotel.run()
    assert hotel.watermark() == T0
    connection = psycopg2.connect(hotel.url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("commit prepared 'late'")
    connection.close()
    hotel.run()
    assert hotel.stored() == {"1": "a", "2": "b", "3": "c"}


def test_rows_without_a_cursor_are_refused_with_their_count(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0), (2, "b", None), (3, "c", minutes(1)))
    code, _, errors = hotel.load()
    assert code == 1
    assert "operational.contacts: 1 rows have no updated_at" in errors
    assert "`null_cursor: load` in _contacts__sources.yml" in errors
    assert hotel.warehouse.stage() == {}


def test_rows_without_a_cursor_are_loaded_on_every_run_where_that_is_declared(hotel: Hotel) -> None:
    hotel.declare(null_cursor="load")
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0), (2, "b", None), (3, "c", minutes(1)))
    hotel.run()
    assert hotel.watermark() == minutes(1)
    assert hotel.run() == "1 batch: 2 landed, 0 inserted, 0 updated, 2 unchanged"
    hotel.execute("update contacts set v = 'B' where id = 2")
    assert hotel.run() == "1 batch: 2 landed, 0 inserted, 1 updated, 1 unchanged"


def test_a_row_in_the_future_is_loaded_and_never_moves_the_watermark(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0), (2, "b", datetime(2999, 12, 31, tzinfo=UTC)))
    hotel.run()
    assert hotel.watermark() == T0
    hotel.execute("insert into contacts values (3, 'c', now())")
    hotel.run()
    assert hotel.stored() == {"1": "a", "2": "b", "3": "c"}
    # It is corrected: an ordinary row again.
    hotel.execute("update contacts set v = 'B', updated_at = now() where id = 2")
    hotel.run()
    assert hotel.stored()["2"] == "B"
    assert hotel.run().startswith("1 batch: 1 landed, 0 inserted, 0 updated")


def test_microseconds_are_neither_cut_nor_rounded(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0 + timedelta(microseconds=123456)))
    hotel.run()
    assert hotel.watermark() == T0 + timedelta(microseconds=123456)
    assert hotel.warehouse.rows("updated_at") == [("2026-05-01 10:00:00.123456+00",)]
    insert(hotel, (2, "b", T0 + timedelta(microseconds=123457)))
    assert hotel.run() == "1 batch: 2 landed, 1 inserted, 0 updated, 1 unchanged"
    assert hotel.run() == "1 batch: 1 landed, 0 inserted, 0 updated, 1 unchanged"


def test_a_quiet_table_leaves_the_watermark_and_moves_the_last_run(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    hotel.run()
    assert hotel.watermark() is None
    insert(hotel, (1, "a", T0))
    hotel.run()
    hotel.execute("delete from contacts")
    assert hotel.run() == "1 batch: 0 landed, 0 inserted, 0 updated, 0 unchanged"
    assert hotel.watermark() == T0
    assert hotel.stored() == {"1": "a"}


def test_a_naive_cursor_is_converted_by_the_database_from_its_declared_zone(hotel: Hotel) -> None:
    hotel.declare(timezone="America/New_York")
    hotel.execute("create table contacts (id int primary key, v text, updated_at timestamp)")
    hotel.execute("insert into contacts values (1, 'a', '2026-07-01 12:00:00.5')")
    hotel.run()
    assert hotel.watermark() == datetime(2026, 7, 1, 16, 0, 0, 500000, tzinfo=UTC)
    assert hotel.warehouse.rows("updated_at") == [("2026-07-01 12:00:00.5",)]


def test_a_naive_cursor_without_a_zone_is_refused(hotel: Hotel) -> None:
    hotel.execute("create table contacts (id int primary key, v text, updated_at timestamp)")
    assert "cursor 'updated_at' has no time zone; declare the one it is written in" in hotel.load()[2]


def test_a_table_without_a_cursor_is_read_whole(hotel: Hotel) -> None:
    hotel.declare(cursor=None)
    hotel.execute("create table contacts (id int primary key, v text)")
    hotel.execute("insert into contacts values (1, 'a'), (2, 'b')")
    hotel.run()
    hotel.execute("update contacts set v = 'B' where id = 2")
    assert hotel.run() == "1 batch: 2 landed, 0 inserted, 1 updated, 1 unchanged"


def test_two_extracts_before_one_build_form_a_chain(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0))
    hotel.load()
    insert(hotel, (2, "b", minutes(1)))
    hotel.load()
    assert hotel.warehouse.ledger("low", "high") == [(None, T0), (T0, minutes(1))]
    hotel.warehouse.build()
    assert hotel.stored() == {"1": "a", "2": "b"}
    assert hotel.watermark() == minutes(1)


RESET = "update hotelmind_warehouse.etl_watermarks set last_extracted = $moment"


def test_a_reset_reads_again_and_changes_no_row(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0), (2, "b", minutes(60)))
    hotel.run()
    whole = hotel.warehouse.whole()
    hotel.warehouse.query(RESET, moment=minutes(-30))
    assert hotel.run() == "1 batch: 2 landed, 0 inserted, 0 updated, 2 unchanged"
    assert hotel.warehouse.whole() == whole
    assert hotel.watermark() == minutes(60)
    hotel.warehouse.query("delete from hotelmind_warehouse.etl_watermarks")
    hotel.run()
    assert hotel.warehouse.whole() == whole
    assert hotel.watermark() == minutes(60)


def test_a_reset_with_a_batch_pending_is_not_jumped_over(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0))
    hotel.run()
    insert(hotel, (2, "b", minutes(60)))
    hotel.load()
    hotel.warehouse.query(RESET, moment=minutes(-30))
    hotel.warehouse.build()
    assert hotel.watermark() == minutes(-30)
    assert hotel.stored() == {"1": "a", "2": "b"}
    hotel.run()
    assert hotel.watermark() == minutes(60)


def test_a_source_restored_to_an_earlier_state_is_followed_after_a_reset(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0), (2, "b", minutes(60)))
    hotel.run()
    hotel.execute("delete from contacts where id = 2")
    insert(hotel, (3, "c", minutes(30)))
    hotel.warehouse.query(RESET, moment=T0)
    hotel.run()
    assert hotel.stored() == {"1": "a", "2": "b", "3": "c"}
    assert hotel.watermark() == minutes(30)


def test_two_loaders_from_one_watermark_the_older_landing_last(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0))
    hotel.run()
    insert(hotel, (2, "b", minutes(1)), (3, "c", minutes(1)))
    hotel.load()
    # The first loader is slow: its batch lands only after the second one's is loaded.
    hotel.warehouse.query("update hotelmind_warehouse.etl_batches set status = 'held' where status = 'landed'")
    hotel.execute("update contacts set v = 'B', updated_at = %s where id = 2", minutes(2))
    hotel.run()
    hotel.warehouse.query("update hotelmind_warehouse.etl_batches set status = 'landed' where status = 'held'")
    hotel.warehouse.build()
    assert hotel.stored() == {"1": "a", "2": "B", "3": "c"}
    assert hotel.run() == "1 batch: 1 landed, 0 inserted, 0 updated, 1 unchanged"
    assert hotel.watermark() == minutes(2)


VALUES = {
    "boolean": ("true", "t"),
    "numeric(20,4)": ("1.50", "1.5000"),
    "double precision": ("0.1", "0.1"),
    "bigint": ("9007199254740993", "9007199254740993"),
    "date": ("date '2026-05-01'", "2026-05-01"),
    "time": ("time '10:00:00.000001'", "10:00:00.000001"),
    "timestamptz": ("timestamptz '2026-05-01 12:00+02'", "2026-05-01 10:00:00+00"),
    "interval": ("interval '1 day 2 hours'", "1 day 02:00:00"),
    "uuid": ("'0e37df36-f698-11e6-8dd4-cb9ced3df976'::uuid", "0e37df36-f698-11e6-8dd4-cb9ced3df976"),
    "jsonb": ("'{\"a\": [1, null]}'::jsonb", '{"a": [1, null]}'),
    "text[]": ("array['a,b', null, 'c\"d']", '{"a,b",NULL,"c\\"d"}'),
    "bytea": ("'\\xdeadbeef'::bytea", "\\xdeadbeef"),
    "char(5)": ("'ab'", "ab   "),
    "text": ("''", ""),
    "varchar": ("null", None),
    "name": ("'line' || chr(13) || chr(10) || 'end,\"'", 'line\r\nend,"'),
}


def test_every_type_lands_as_postgresql_prints_it(hotel: Hotel) -> None:
    columns = [f"c{number} {kind}" for number, kind in enumerate(VALUES)]
    hotel.execute(f"create table contacts (id int primary key, updated_at timestamptz, {', '.join(columns)})")
    hotel.execute(
        "alter role current_user set datestyle = 'German'; alter role current_user set timezone = 'Asia/Tokyo'"
    )
    values = ", ".join(value for value, _ in VALUES.values())
    hotel.execute(f"insert into contacts select 1, %s, {values}", T0)
    try:
        hotel.run()
    finally:
        hotel.execute("alter role current_user reset all")
    names = [f"c{number}" for number in range(len(VALUES))]
    assert hotel.warehouse.rows(*names) == [tuple(text for _, text in VALUES.values())]


def test_no_character_is_lost_where_the_parser_s_blocks_meet(hotel: Hotel) -> None:
    hotel.declare(cursor=None)
    hotel.execute("create table contacts (id text primary key, v text)")
    hotel.execute("insert into contacts values (U&'\\FEFFfirst', 'x')")
    hotel.execute(
        "insert into contacts select i, repeat(E'\\r\\n', 5000) || repeat('x', mod(i, 3))"
        " from generate_series(1, 9000) i"
    )
    hotel.load()
    hotel.warehouse.build()
    assert ("\ufefffirst",) in hotel.warehouse.query("select id from bronze.bronze_contacts where length(id) = 6")
    expected = sum(10_000 + number % 3 for number in range(1, 9001)) + 1
    assert hotel.warehouse.query("select sum(length(v)) from bronze.bronze_contacts") == [(expected,)]


def test_the_column_list_is_the_tables_and_not_the_rows(hotel: Hotel) -> None:
    hotel.execute("create table contacts (id int primary key, v text, empty text, updated_at timestamptz)")
    insert_sql = "insert into contacts (id, v, updated_at) values (1, 'a', %s)"
    hotel.execute(insert_sql, T0)
    hotel.run()
    columns = json.loads(hotel.warehouse.ledger("columns")[0][0])
    assert [one["name"] for one in columns] == ["id", "v", "empty", "updated_at"]


@pytest.mark.parametrize(
    ("declared", "table", "expected"),
    [
        ({}, None, "operational.contacts: no table public.contacts that this role can see"),
        ({"cursor": "changed_at"}, TABLE, "operational.contacts: no column 'changed_at'; name its cursor in"),
        ({"record_key": ["contact_id"]}, TABLE, "operational.contacts: no column contact_id, which record_key names"),
        ({"cursor": "v"}, TABLE, "operational.contacts: cursor 'v' is a text; expected a timestamp"),
    ],
    ids=["no table", "no cursor", "no key", "a cursor that is no moment"],
)
def test_a_table_that_does_not_fit_its_declaration_is_refused(
    hotel: Hotel, declared: dict[str, Any], table: str | None, expected: str
) -> None:
    hotel.declare(**declared)
    if table:
        hotel.execute(table)
    code, _, errors = hotel.load()
    assert code == 1
    assert errors.startswith(f"error: {expected}")
    assert errors.count("\n") == 1


def test_one_tables_failure_stops_no_other(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    hotel.execute("create table other (id int primary key, v text, updated_at timestamptz)")
    insert(hotel, (1, "a", T0))
    meta = {"record_key": ["id"], "cursor": "updated_at"}
    tables = [{"name": name, "config": {"meta": meta}} for name in ("missing", "contacts", "other")]
    hotel.warehouse.write(
        "models/_contacts__sources.yml", json.dumps({"sources": [{"name": "operational", "tables": tables}]})
    )
    code, output, errors = hotel.load()
    assert code == 1
    assert errors.startswith("error: operational.missing: no table public.missing")
    assert "operational.contacts ..2026-05-01T10:00:00.000000Z: 1 rows landed" in output
    assert "operational.other ..: 0 rows landed" in output


def test_a_dry_run_counts_and_writes_nothing(hotel: Hotel) -> None:
    hotel.execute(TABLE)
    insert(hotel, (1, "a", T0))
    code, output, _ = hotel.load("--dry-run")
    assert (code, output) == (0, "operational.contacts ..2026-05-01T10:00:00.000000Z: 1 rows would be landed\n")
    (planned,) = json.loads(hotel.load("--dry-run", "--json")[1])["planned"]
    assert planned["plan"] == "1 rows would be landed"
    assert not (hotel.warehouse.directory / "warehouse.duckdb").exists()


@pytest.mark.parametrize(
    ("url", "code", "expected"),
    [
        (None, 2, "set OPERATIONAL_DATABASE_URL in the environment"),
        ("postgresql://u:s3cret@127.0.0.1:1/db", 1, "operational: cannot connect"),
        ("postgresql//u:s3cret@h/db s3cret", 2, "OPERATIONAL_DATABASE_URL is no PostgreSQL address"),
        ("postgresql://u:S3cr@s3cret@localhost:1/db", 2, "OPERATIONAL_DATABASE_URL is no PostgreSQL address"),
        ("postgresql://u:s3cret/more@localhost:1/db", 2, "OPERATIONAL_DATABASE_URL is no PostgreSQL address"),
    ],
    ids=["missing", "nobody listens", "no address", "an @ in the password", "a / in the password"],
)
def test_a_source_that_cannot_be_reached_is_said_without_its_password(
    hotel: Hotel, monkeypatch: pytest.MonkeyPatch, url: str | None, code: int, expected: str
) -> None:
    monkeypatch.delenv("OPERATIONAL_DATABASE_URL")
    if url:
        monkeypatch.setenv("OPERATIONAL_DATABASE_URL", url)
    found, output, errors = hotel.load()
    assert found == code
    assert expected in errors
    assert "s3cret" not in output + errors


def test_a_role_that_cannot_see_open_transactions_is_told_that_overlap_alone_protects(
    hotel: Hotel, monkeypatch: pytest.MonkeyPatch
) -> None:
    hotel.execute(TABLE)
    hotel.execute("create role reader login; grant select on contacts to reader")
    try:
        monkeypatch.setenv("OPERATIONAL_DATABASE_URL", hotel.url.replace("//postgres@", "//reader@"))
        assert "the overlap alone protects rows that are committed late" in hotel.load()[1]
    finally:
        hotel.execute("drop owned by reader; drop role reader")


def test_a_permission_that_is_missing_is_named(hotel: Hotel, monkeypatch: pytest.MonkeyPatch) -> None:
    hotel.execute(TABLE)
    hotel.execute("create role stranger login")
    try:
        monkeypatch.setenv("OPERATIONAL_DATABASE_URL", hotel.url.replace("//postgres@", "//stranger@"))
        assert "operational.contacts: permission denied for table contacts" in hotel.load()[2]
    finally:
        hotel.execute("drop role stranger")


def test_writers_that_commit_late_and_in_disorder_lose_no_row(hotel: Hotel) -> None:
    hotel.execute(TABLE)

    def write(writer: int) -> None:
        connection = psycopg2.connect(hotel.url)
        for first in range(writer * 1250, (writer + 1) * 1250, 50):
            with connection, connection.cursor() as cursor:
                # Every row has its transaction's first moment, and is seen only after the pause.
                numbers = "generate_series(%s, %s) as number"
                cursor.execute(f"insert into contacts select number, 'x', now() from {numbers}", [first, first + 49])
                cursor.execute("select pg_sleep(random() * 0.4)")
        connection.close()

    writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        # Some extracts begin at the watermark, the others at a batch that is pending.
        assert hotel.load()[0] == 0
        hotel.run()
    for writer in writers:
        writer.join()
    hotel.run()
    counts = [count for (count,) in hotel.warehouse.ledger("row_count") if count]
    assert len(counts) > 3
    with hotel.session() as cursor:
        cursor.execute("set timezone = 'UTC'; select id::text, v, updated_at::text from contacts")
        source = sorted(cursor.fetchall())
    assert len(source) == 10_000
    assert hotel.warehouse.rows("id", "v", "updated_at") == source

"""The stand-in keeps the rules of Snowflake that loads rely on; what it does not imitate raises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import snowflake.connector
from snowflake.connector.errors import DatabaseError, ProgrammingError

from loaders.settings import Target
from loaders.stage.snowflake_session import SnowflakeConnection, connection_settings
from tests.snowflake.stand_in import StandIn

COPY = "file_format = (type = parquet null_if = ()) match_by_column_name = case_insensitive"
COPY_ALL = f"{COPY} on_error = abort_statement force = true"
Login = Callable[[], Any]


@contextmanager
def logged_in(account: StandIn) -> Iterator[SnowflakeConnection]:
    settings = connection_settings(Target("test", "snowflake", "s", account.credentials))
    connection = SnowflakeConnection(snowflake.connector.connect(**settings))
    try:
        yield connection
    finally:
        connection.close()


@pytest.fixture
def account(snowflake_account: StandIn) -> StandIn:
    """An empty account with a schema `s` and a table `t`."""
    snowflake_account.reset()
    with logged_in(snowflake_account) as session:
        for sql in ("create schema s", "create table s.t (id varchar primary key, n bigint not null)"):
            session.query(sql)
    return snowflake_account


@pytest.fixture
def session(account: StandIn) -> Iterator[SnowflakeConnection]:
    with logged_in(account) as session:
        yield session


def rows(session: SnowflakeConnection) -> list[tuple[Any, ...]]:
    return session.query("select id, n from s.t order by 1, 2")


def run(session: SnowflakeConnection, *statements: str) -> None:
    for one in statements:
        session.query(one)


@pytest.mark.parametrize(
    "ddl",
    ["create table s.other (a int)", "create temporary table s.other (a int)", "alter table s.t add column extra int"],
)
def test_ddl_commits_the_open_transaction_also_that_of_temporary_tables(session: SnowflakeConnection, ddl: str) -> None:
    run(session, "begin", "insert into s.t values ('a', 1)", ddl, "insert into s.t (id, n) values ('b', 2)", "rollback")
    # What came after the DDL was in no transaction: it was committed by itself.
    assert rows(session) == [("a", 1), ("b", 2)]


def test_a_transaction_is_all_or_nothing_and_a_begin_within_it_is_ignored(session: SnowflakeConnection) -> None:
    run(session, "begin", "insert into s.t values ('a', 1)", "begin", "insert into s.t values ('b', 2)", "rollback")
    assert rows(session) == []


def test_commit_and_rollback_outside_a_transaction_are_ignored(session: SnowflakeConnection) -> None:
    run(session, "rollback", "commit", "insert into s.t values ('a', 1)", "rollback")
    assert rows(session) == [("a", 1)]


def test_a_failed_statement_leaves_the_transaction_open(session: SnowflakeConnection) -> None:
    session.query("begin")
    with pytest.raises(ProgrammingError, match="does not exist"):
        session.query("insert into s.nowhere values (1)")
    run(session, "insert into s.t values ('a', 1)", "rollback")
    assert rows(session) == []


def test_after_a_write_a_failed_statement_leaves_only_rollback(session: SnowflakeConnection) -> None:
    """Snowflake would let the transaction go on; DuckDB cannot, and that is said rather than imitated half."""
    run(session, "begin", "insert into s.t values ('a', 1)")
    with pytest.raises(DatabaseError, match="NULL result in a non-nullable column"):
        session.query("insert into s.t values ('b', null)")
    with pytest.raises(ProgrammingError, match="transaction is aborted"):
        rows(session)
    session.query("rollback")
    assert rows(session) == []


def test_a_session_that_ends_rolls_back_and_takes_its_temporary_tables_along(account: StandIn) -> None:
    with logged_in(account) as session:
        run(session, "create temporary table s.mine (a int)", "begin", "insert into s.t values ('a', 1)")
    with logged_in(account) as session:
        assert rows(session) == []
        with pytest.raises(ProgrammingError, match="does not exist"):
            session.query("select * from s.mine")


def test_an_abandoned_transaction_is_listed_and_can_be_aborted(account: StandIn) -> None:
    with logged_in(account) as abandoned, logged_in(account) as operator:
        run(abandoned, "begin", "insert into s.t values ('a', 1)")
        ((number, *_),) = operator.query("show transactions")
        operator.query(f"select system$abort_transaction({number})")
        assert operator.query("show transactions") == []
        abandoned.query("commit")
        assert rows(operator) == []


MERGE = (
    "merge into s.t as target using s.changes as changes on target.id = changes.id"
    " when matched then update set n = changes.n when not matched then insert (id, n) values (changes.id, changes.n)"
)


def test_merge_in_a_transaction_counts_and_rolls_back(session: SnowflakeConnection) -> None:
    run(session, "insert into s.t values ('a', 1)", "create table s.changes as select 'a' as id, 2 as n")
    run(session, "insert into s.changes values ('b', 3)", "begin")
    assert session.query(MERGE) == [(1, 1)]
    assert rows(session) == [("a", 2), ("b", 3)]
    session.query("rollback")
    assert rows(session) == [("a", 1)]


def test_merge_of_one_row_from_two_is_an_error_and_changes_nothing(session: SnowflakeConnection) -> None:
    run(session, "insert into s.t values ('a', 1)", "create table s.changes as select 'a' as id, 2 as n")
    session.query("insert into s.changes values ('a', 3)")
    with pytest.raises(ProgrammingError, match="Duplicate row detected during DML action") as caught:
        session.query(MERGE)
    assert caught.value.errno == 100090
    assert rows(session) == [("a", 1)]


def test_keys_are_not_enforced_and_not_null_is(session: SnowflakeConnection) -> None:
    run(session, "insert into s.t values ('a', 1)", "insert into s.t values ('a', 2)")
    assert rows(session) == [("a", 1), ("a", 2)]
    with pytest.raises(DatabaseError, match="NULL result in a non-nullable column"):
        session.query("insert into s.t values ('b', null)")


def test_a_temporary_table_lies_in_its_schema_hides_another_and_is_seen_by_its_session_alone(account: StandIn) -> None:
    with logged_in(account) as session, logged_in(account) as other:
        session.query("create temporary table hotelmind.s.t (id varchar, n bigint)")
        session.query("insert into s.t values ('mine', 0)")
        assert rows(session) == [("mine", 0)]
        assert [row[:2] for row in session.query("describe table hotelmind.s.t")] == [
            ("ID", "VARCHAR(16777216)"),
            ("N", "NUMBER(38,0)"),
        ]
        assert rows(other) == []
        session.query("drop table hotelmind.s.t")
        assert rows(session) == []


def test_a_null_moment_stays_null(session: SnowflakeConnection) -> None:
    moment = datetime(2026, 1, 1, 12, 0, 0, 123456, UTC)
    run(session, "create table s.m (a timestamptz, b timestamp_ntz)", "insert into s.m values (null, null)")
    session.query("insert into s.m select $moment, $moment", {"moment": moment})
    assert session.query("select a, b from s.m order by a nulls first") == [
        (None, None),
        (moment, moment.replace(tzinfo=None)),
    ]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("try_cast('x' as timestamp_ntz)", None),
        ("try_cast('2026-02-30' as date)", None),
        ("try_cast('x' as timestamp_tz)", None),
        ("ltrim('  a ')", "a "),
        ("ltrim('\\t\\na', ' ' || chr(9) || chr(10))", "a"),
        ("'it''s \\\\ \\' '", "it's \\ ' "),
        ("concat('a', null)", None),
        ("length('é🛎')", 2),
        ("(select sum(column1) = 0.3 from values (0.1), (0.2))", True),
        ("(select sum(column1) from values (1), (2))", 3),
    ],
)
def test_expressions_of_ours_have_the_documented_value(
    session: SnowflakeConnection, expression: str, expected: object
) -> None:
    assert session.query(f"select {expression}") == [(expected,)]


@pytest.fixture
def staged(session: SnowflakeConnection, tmp_path: Path) -> SnowflakeConnection:
    """A session of an account with the file rows.parquet in the stage s.files."""
    table = pa.table({"id": ["a", "\\N", None], "n": pa.array([1, 2, 3], pa.int64()), "unknown": ["x", "y", "z"]})
    pq.write_table(table, tmp_path / "rows.parquet")
    put = f"put 'file://{tmp_path}/rows.parquet' @s.files auto_compress = false source_compression = none"
    run(session, "create stage s.files", put)
    return session


def test_copy_takes_columns_by_name_and_every_text_as_it_is(staged: SnowflakeConnection) -> None:
    staged.query(f"copy into s.t from @hotelmind.s.files/rows.parquet {COPY_ALL}")
    assert sorted(rows(staged), key=lambda row: row[1]) == [("a", 1), ("\\N", 2), (None, 3)]


def test_copy_of_a_file_that_is_not_there_loads_nothing_and_is_no_error(staged: SnowflakeConnection) -> None:
    assert staged.query(f"copy into s.t from @s.files/other.parquet {COPY_ALL}") == [
        ("Copy executed with 0 files processed.",)
    ]


@pytest.mark.parametrize(
    "options",
    [
        f"{COPY} on_error = abort_statement",
        f"{COPY} on_error = abort_statement force = false",
        f"{COPY} on_error = continue force = true",
        f"{COPY_ALL} purge = true",
        COPY_ALL.replace(" null_if = ()", ""),
        "file_format = (type = csv) on_error = abort_statement force = true",
    ],
)
def test_copy_in_any_other_way_is_refused(staged: SnowflakeConnection, options: str) -> None:
    with pytest.raises(ProgrammingError, match="not implemented"):
        staged.query(f"copy into s.t from @s.files/rows.parquet {options}")


def test_staged_files_are_listed_fetched_and_removed(staged: SnowflakeConnection, tmp_path: Path) -> None:
    ((name, size, _, _),) = staged.query("list @s.files/rows")
    assert (name, size) == ("files/rows.parquet", (tmp_path / "rows.parquet").stat().st_size)
    (tmp_path / "back").mkdir()
    staged.query(f"get @s.files/rows.parquet 'file://{tmp_path}/back'")
    assert (tmp_path / "back" / "rows.parquet").read_bytes() == (tmp_path / "rows.parquet").read_bytes()
    staged.query("remove @s.files/rows.parquet")
    assert staged.query("list @s.files") == []
    with pytest.raises(ProgrammingError, match="does not exist or not authorized"):
        staged.query("list @s.nowhere")


def test_a_login_makes_no_schema(account: StandIn) -> None:
    settings = connection_settings(Target("test", "snowflake", "s", account.credentials))
    with (
        snowflake.connector.connect(**settings, schema="nowhere") as connection,
        pytest.raises(ProgrammingError, match="does not have a current schema"),
    ):
        connection.cursor().execute("create table t (a int)")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select no_such_function(1)", "does not exist"),
        ("create table s.c (a int check (a > 0))", "CHECK and CREATE INDEX"),
        ("selec 1", "syntax error|Parser Error|Invalid expression"),
        ("select * from s.t at (offset => -60)", "Parser Error"),
    ],
)
def test_what_is_not_imitated_is_an_error_at_once(session: SnowflakeConnection, sql: str, expected: str) -> None:
    with pytest.raises(ProgrammingError, match=expected):
        session.query(sql)


def test_another_session_can_get_in_between_two_statements(account: StandIn, session: SnowflakeConnection) -> None:
    account.before("delete from s.t", "insert into s.t values ('late', 1)")
    session.query("delete from s.t")
    account.before("select id", "insert into s.t values ('later', 2)")
    assert rows(session) == [("later", 2)]
    assert rows(session) == [("later", 2)]

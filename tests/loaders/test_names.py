"""Column names: one rule, the same on every engine."""

from __future__ import annotations

import re

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders.errors import SourceError
from loaders.names import LOAD_COLUMNS, LONGEST_NAME, RESERVED_WORDS, column_name, column_names


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Contact ID", "contact_id"),
        ("Seconds within (+) or over (-) SLA", "seconds_within_or_over_sla"),
        ("Hold Time - Manual (sec)", "hold_time_manual_sec"),
        ("  Status  ", "status"),
        ("1st Reply", "_1st_reply"),
        ("Order", "order_"),
        ("Größe", "gr_e"),
        ("(+)", ""),
    ],
)
def test_a_header_becomes_a_name_by_one_rule(header: str, name: str) -> None:
    assert column_name(header) == name


@given(st.text())
def test_a_name_is_safe_to_write_unquoted_or_empty(header: str) -> None:
    name = column_name(header)
    assert name == "" or re.fullmatch(r"[a-z_][a-z0-9_]*", name)
    assert name not in RESERVED_WORDS
    assert column_name(name) == name or name.startswith("_") or name.endswith("_")


@pytest.mark.parametrize("word", sorted(RESERVED_WORDS))
def test_no_reserved_word_is_left_that_duckdb_refuses(word: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"create table t ({column_name(word)} varchar)")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        (["Line-Items", "line items"], "'Line-Items' and 'line items' both become column 'line_items'"),
        (["Status", "Status"], "'Status' and 'Status' both become"),
        (["(+)"], "leaves no column name"),
        (["x" * (LONGEST_NAME + 1)], "becomes a column name of 64 characters, 63 is the limit"),
        (["Record Number"], "'Record Number' becomes 'record_number', which every load sets itself"),
    ],
)
def test_headers_that_make_no_columns_are_refused_by_name(headers: list[str], expected: str) -> None:
    with pytest.raises(SourceError, match=re.escape(expected)):
        column_names(headers)


@pytest.mark.parametrize("column", sorted(LOAD_COLUMNS))
def test_a_delivery_may_not_bring_a_load_column(column: str) -> None:
    with pytest.raises(SourceError, match="which every load sets itself"):
        column_names([column.replace("_", " ").title()])


def test_an_explicit_mapping_lets_them_through() -> None:
    assert column_names(["Line-Items", "line items"], {"line items": "line_items_2"}) == {
        "Line-Items": "line_items",
        "line items": "line_items_2",
    }

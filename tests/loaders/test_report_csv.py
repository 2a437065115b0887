from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loaders.errors import SourceError
from loaders.gladly.csv_framing import LONGEST_RECORD
from loaders.gladly.report_csv import Report, read_report

CASES = Path(__file__).parent / "cases"
SUBJECT = "gladly.contact_export 2026-01-01..2026-01-31"
Row = tuple[str | None, ...]


def report_of(body: bytes, *, block_bytes: int = 1 << 20, **options: object) -> Report:
    return read_report(io.BytesIO(body), subject=SUBJECT, block_bytes=block_bytes, **options)  # type: ignore[arg-type]


def rows_of(body: bytes, *, block_bytes: int = 1 << 20) -> list[Row]:
    report = report_of(body, block_bytes=block_bytes)
    rows = [tuple(row.values()) for batch in report.batches() for row in batch.to_pylist()]
    assert len(rows) == report.record_count
    return rows


def case(name: str) -> bytes:
    return (CASES / f"{name}.csv").read_bytes()


def test_line_ends_inside_quotes_stay_as_they_were() -> None:
    assert rows_of(case("framing")) == [
        ("F-1", "OPEN", "plain"),
        ("F-2", "OPEN", "line one\nline two"),
        ("F-3", "CLOSED", "crlf\r\ninside"),
        ("F-4", "CLOSED", 'she wrote "ok", then left\n'),
    ]


def test_a_byte_order_mark_is_in_no_name_and_no_value() -> None:
    assert rows_of(case("byte_order_mark")) == rows_of(case("no_byte_order_mark"))
    assert report_of(case("byte_order_mark")).columns == {"contact_id": "Contact ID", "status": "Status"}


def test_a_header_that_comes_twice_is_refused_and_named() -> None:
    with pytest.raises(SourceError, match=f"{SUBJECT}: headers 'Status' and 'Status' both become"):
        report_of(case("duplicate_header"))


def test_ragged_records_are_refused_with_their_lines() -> None:
    report = report_of(case("ragged"))
    with pytest.raises(SourceError, match="2 records have not the header's 3 fields: line 3 has 4, line 4 has 2;"):
        list(report.batches())


def test_ragged_records_are_named_by_physical_lines_and_at_most_five() -> None:
    body = b'\r\na,b\r\n"x\r\ny",1\r\n"2,\n"",",3,"4,5"\r\n' + b"only\r\n" * 7
    report = report_of(body, block_bytes=8)
    with pytest.raises(
        SourceError,
        match="8 records have not the header's 2 fields: line 5 has 3, line 7 has 1, line 8 has 1, line 9 has 1, "
        "line 10 has 1, and 3 more; ask",
    ):
        list(report.batches())


def test_null_and_the_empty_string_and_their_look_alikes_stay_apart() -> None:
    assert [row[1] for row in rows_of(case("nulls"))] == [None, "", r"\N", "NULL", "NA", " "]


def test_text_is_kept_character_for_character() -> None:
    assert [row[1] for row in rows_of(case("text_kept"))] == [
        "00042",
        "12345678901234567890",
        "1e5",
        "1.50",
        "TRUE",
        "2024-03-10T02:30:00Z",
        "  two before",
        "one after ",
    ]


def test_a_first_value_may_begin_with_a_byte_order_mark() -> None:
    assert rows_of("a,b\n\ufeff1,2\n".encode()) == [("\ufeff1", "2")]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="zero bytes"),
        pytest.param(b"\r\n\n\r\n", id="only line breaks"),
        pytest.param(b"\xef\xbb\xbf", id="only a byte order mark"),
    ],
)
def test_a_body_without_anything_is_an_empty_report(body: bytes) -> None:
    report = report_of(body, required=["contact_id"])
    assert (report.columns, report.record_count, list(report.batches())) == ({}, 0, [])


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"Contact ID,Status\n", id="with a line end"),
        pytest.param(b"Contact ID,Status", id="without a line end"),
        pytest.param(b'\r\n\r\n"Contact ID","Status"\r\n\r\n', id="between blank lines"),
    ],
)
def test_a_header_alone_is_a_report_with_columns_and_no_records(body: bytes) -> None:
    report = report_of(body, required=["contact_id"])
    assert report.columns == {"contact_id": "Contact ID", "status": "Status"}
    assert (report.record_count, list(report.batches())) == (0, [])


def test_blank_lines_before_the_header_and_at_the_end_are_no_records() -> None:
    assert rows_of(b"\r\n\n\xef\xbb\xbfa,b\n1,2\n3,\n\n\r\n") == [("1", "2"), ("3", None)]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        pytest.param(b"a,b\n1,2\n\n3,4\n", "line 3 is blank, with records behind it", id="blank line between"),
        pytest.param(b"a,b\n\r\n3,4\n", "line 2 is blank, with records behind it", id="blank line at the top"),
        pytest.param(b"a\n1\n\n", "line 3 is blank, which in a report of one column", id="one column"),
        pytest.param(b"a,b\n1,\0\n", r"line 2 holds U\+0000", id="U+0000"),
        pytest.param(b'a,b\n"1\n2",\xff\n', "line 3 is not UTF-8", id="not UTF-8"),
        pytest.param(b"a,b\n1,\xc3", "line 2 is not UTF-8", id="cut inside a character"),
        pytest.param(b"a,b\n1,\xed\xa0\x80\n", "line 2 is not UTF-8", id="lone surrogate"),
        pytest.param(b'a,b\n1,"2\n3,4\n', "line 2 begins a record that the end of the body cuts", id="cut"),
        pytest.param(b'a,b\n1,2"2\n', "line 2 has a stray quote", id="quote in plain text"),
        pytest.param(b'a,b\n1,"2"2\n', "line 2 has a stray quote", id="text behind quotes"),
        pytest.param(b'a,b\n1, "2"\n', "line 2 has a stray quote", id="space before quotes"),
        pytest.param(b'a"a",b\n', "line 1 has a stray quote.*; the body starts 'a\"a\",b'", id="in the header"),
        pytest.param(b"a,b\n1,2\r3,4\n", "line 2 has a carriage return without", id="bare CR"),
        pytest.param(b'a,b\n1,"2"\r3,4\n', "line 2 has a carriage return without", id="bare CR behind quotes"),
        pytest.param(b"a,b\n1,2\r", "line 2 ends in a carriage return without", id="bare CR at the end"),
    ],
)
@pytest.mark.parametrize("block_bytes", [1, 2, 3, 1 << 20])
def test_a_body_that_cannot_be_kept_exactly_is_refused(body: bytes, problem: str, block_bytes: int) -> None:
    with pytest.raises(SourceError, match=f"^{SUBJECT}: {problem}"):
        report_of(body, block_bytes=block_bytes)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        pytest.param(b"Unexpected error occurred", "no report came but 'Unexpected error occurred'", id="text"),
        pytest.param(b"Error:\n\nask again", r"line 2 is blank.*starts 'Error:\\n\\nask again'", id="long text"),
        pytest.param(b' {"errors": []}', "no CSV came but '{\"errors\": .]}'", id="JSON object"),
        pytest.param(b"\n[1, 2]", r"no CSV came but '\[1, 2\]'", id="JSON list"),
        pytest.param(b"<!doctype html>\n", "no CSV came but '<!doctype html>'", id="HTML"),
        pytest.param(b"Kontakt,Status\n1,2\n", r"no report came but 'Kontakt,Status\\n1,2'", id="all renamed"),
        pytest.param(b"Contact ID,Kanal\n1,2\n", "no column 'channel' among the 2 that came", id="one renamed"),
    ],
)
def test_a_body_that_is_no_such_report_is_refused_and_shown(body: bytes, problem: str) -> None:
    with pytest.raises(SourceError, match=f"^{SUBJECT}: {problem}"):
        report_of(body, required=["contact_id", "channel"])


def test_an_explicit_column_name_lets_two_like_headers_through() -> None:
    report = report_of(b"SLA (+),SLA (-)\n1,2\n", columns={"SLA (-)": "sla_over"}, required=["sla_over"])
    assert report.columns == {"sla": "SLA (+)", "sla_over": "SLA (-)"}
    assert [batch.to_pylist() for batch in report.batches()] == [[{"sla": "1", "sla_over": "2"}]]


def test_a_header_longer_than_any_block_is_read() -> None:
    headers = [f"Column {number}" for number in range(3000)]
    report = report_of(",".join(headers).encode() + b"\n" + b"," * 2999, block_bytes=100)
    assert list(report.columns.values()) == headers


def test_a_record_longer_than_any_block_is_read() -> None:
    assert rows_of(b'a,b\n1,"' + b"long\n" * 1000 + b'"\n2,3\n', block_bytes=10)[0] == ("1", "long\n" * 1000)


def test_a_body_without_line_ends_is_refused_before_it_fills_memory() -> None:
    with pytest.raises(SourceError, match="line 2 begins a record of more than 64 MiB"):
        report_of(b"a,b\n" + b"x" * (LONGEST_RECORD + (1 << 20)))


def test_a_report_can_be_read_twice() -> None:
    report = report_of(b"a,b\n1,2\n")
    assert [batch.num_rows for batch in report.batches()] == [batch.num_rows for batch in report.batches()] == [1]


def test_null_stays_null_at_the_very_end_of_a_body() -> None:
    assert rows_of(b'a,b\n"",') == [("", None)]


@pytest.mark.parametrize("block_bytes", range(12, 20))
def test_no_line_end_inside_quotes_is_lost_where_blocks_meet(block_bytes: int) -> None:
    row = ("\r\n", "\r\n\r\n", None)
    body = b"a,b,c\r\n" + b'"\r\n","\r\n\r\n",\r\n' * 40
    assert rows_of(body, block_bytes=block_bytes) == [row] * 40


def test_all_columns_are_text() -> None:
    (batch,) = report_of(b"a,b\n1,2026-01-01\n").batches()
    assert [str(kind) for kind in batch.schema.types] == ["string", "string"]


# What is hard in a CSV more often than by chance, beside any other text.
hard_text = st.text(st.sampled_from('",\n\ra é\ufeff😀\\'), max_size=6)
values = st.none() | hard_text | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.tuples(*[values] * width), min_size=1, max_size=8))


def written(value: str | None, quoted: bool) -> str:
    if value is None:
        return ""
    return '"' + value.replace('"', '""') + '"' if quoted or not value or set(value) & set('",\r\n') else value


@st.composite
def bodies(draw: st.DrawFn) -> tuple[list[Row], bytes]:
    """A table and the same as a CSV that tells NULL (nothing) from the empty string (two quotes)."""
    rows = draw(tables())
    header = tuple(f"c{number}" for number in range(len(rows[0])))
    line_end = draw(st.sampled_from(["\n", "\r\n"]))
    lines = [",".join(written(value, draw(st.booleans())) for value in row) for row in [header, *rows]]
    start = draw(st.sampled_from(["", "\ufeff", "\n", "\r\n\r\n", "\ufeff\n"]))
    # In one column a record that is NULL is there only by its line end.
    ends = ["", line_end, line_end * 3] if len(header) > 1 else [line_end]
    text = start + line_end.join(lines) + draw(st.sampled_from(ends))
    return rows, text.encode()


@settings(deadline=None, max_examples=400)
@given(bodies(), st.integers(1, 50))
def test_any_table_comes_back_exactly(table_and_body: tuple[list[Row], bytes], block_bytes: int) -> None:
    rows, body = table_and_body
    if (None,) in rows:  # a blank line, which in one column may be a NULL or nothing
        with pytest.raises(SourceError, match="is blank"):
            rows_of(body, block_bytes=block_bytes)
        return
    assert rows_of(body, block_bytes=block_bytes) == rows


def strict_rows(body: bytes) -> list[list[str]]:
    """The records as Python's own reader has them, or csv.Error."""
    text = body.decode().lstrip("\ufeff\r\n")
    return [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row][1:]


def refused_or_as_python_reads(body: bytes, block_bytes: int) -> None:
    try:
        rows = rows_of(body, block_bytes=block_bytes)
    except SourceError:
        return
    assert [[value or "" for value in row] for row in rows] == strict_rows(body)


@settings(deadline=None, max_examples=400)
@given(bodies(), st.integers(1, 50), st.data())
def test_a_quote_too_many_or_too_few_never_gives_wrong_rows(
    table_and_body: tuple[list[Row], bytes], block_bytes: int, data: st.DataObject
) -> None:
    body = table_and_body[1].decode()
    places = [place for place, character in enumerate(body) if character == '"']
    if places and data.draw(st.booleans()):
        place = data.draw(st.sampled_from(places))
        broken = body[:place] + body[place + 1 :]
    else:
        place = data.draw(st.integers(0, len(body)))
        broken = body[:place] + '"' + body[place:]
    refused_or_as_python_reads(broken.encode(), block_bytes)


@settings(deadline=None, max_examples=600)
@given(st.text(st.sampled_from('",\n\ra'), max_size=30), st.integers(1, 20))
def test_no_text_at_all_gives_wrong_rows(text: str, block_bytes: int) -> None:
    refused_or_as_python_reads(f"x,y\n{text}".encode(), block_bytes)

"""Each fault of the sandbox, as a client meets it."""

import csv
import io
import time

import pytest
import requests

from demo.faults import (
    BLANK_LINES,
    BLANK_LINES_FIRST,
    BOM,
    CRLF,
    ERROR_TEXT,
    HEADER_ONLY,
    HTML,
    JSON,
    ZERO_BYTES,
    Body,
    Columns,
    CutBody,
    Slow,
    Status,
)

TIMESTAMPS = "ContactTimestampsReport"


@pytest.fixture
def good(sandbox, ask):
    return ask(sandbox).content


def parse(body):
    return list(csv.reader(io.StringIO(body.decode(), newline="")))


@pytest.mark.parametrize("code", [401, 403, 429, 500, 503])
def test_a_status_is_answered_with_its_headers_and_body(sandbox, ask, code):
    sandbox.faults.append(Status(code, headers={"Retry-After": "7"}, body=b"no"))
    response = ask(sandbox)
    assert (response.status_code, response.headers["Retry-After"], response.content) == (code, "7", b"no")
    assert sandbox.requests[-1].status == code


def test_faults_are_spent_one_a_request_in_their_order(sandbox, ask):
    sandbox.faults.extend([Status(500), None, Status(503)])
    assert [ask(sandbox).status_code for _ in range(4)] == [500, 200, 503, 200]


def test_a_fault_of_one_metric_set_waits_for_it(sandbox, ask):
    sandbox.faults_of[TIMESTAMPS].extend([None, Status(500)])
    sandbox.faults.append(Status(403))
    asked = [TIMESTAMPS, "ContactExportReportV3", TIMESTAMPS, TIMESTAMPS]
    assert [ask(sandbox, metric_set).status_code for metric_set in asked] == [200, 403, 500, 200]


def test_a_refused_request_spends_no_fault(sandbox, ask):
    sandbox.faults.append(Status(500))
    assert [ask(sandbox, last="never").status_code, ask(sandbox).status_code] == [400, 500]


@pytest.mark.parametrize("after", [0, 1, 5000])
def test_a_cut_body_breaks_off_after_so_many_bytes_of_its_true_length(sandbox, ask, good, after):
    sandbox.faults.append(CutBody(after))
    with pytest.raises(requests.exceptions.ChunkedEncodingError, match=rf"IncompleteRead\({after} bytes read, (\d+)"):
        ask(sandbox)
    sandbox.faults.append(CutBody(after))
    with requests.post(
        f"{sandbox.url}/api/v1/reports",
        json={"metricSet": "ContactExportReportV3", "startAt": "2026-01-30", "endAt": "2026-01-30", "timezone": "UTC"},
        auth=sandbox.credentials,
        timeout=20,
        stream=True,
    ) as response:
        assert response.status_code == 200
        assert int(response.headers["Content-Length"]) == len(good)
        assert response.raw.read(after) == good[:after]


@pytest.mark.parametrize(
    ("fault", "body", "content_type"),
    [
        pytest.param(ZERO_BYTES, b"", "text/csv", id="zero bytes"),
        pytest.param(BLANK_LINES, b"\r\n\r\n", "text/csv", id="only blank lines"),
        pytest.param(ERROR_TEXT, b"Unexpected error occurred", "text/csv", id="an error inside a 200"),
        pytest.param(HTML, HTML.body, "text/html", id="HTML"),
        pytest.param(JSON, JSON.body, "application/json", id="JSON"),
        pytest.param(Body(b"a\n\xff"), b"a\n\xff", "text/csv", id="any bytes"),
    ],
)
def test_a_body_is_sent_byte_by_byte_with_status_200(sandbox, ask, fault, body, content_type):
    sandbox.faults.append(fault)
    response = ask(sandbox)
    assert (response.status_code, response.content) == (200, body)
    assert response.headers["Content-Type"] == content_type
    assert response.headers["Content-Length"] == str(len(body))


def test_the_good_body_can_come_in_other_wrappings(sandbox, ask, good):
    sandbox.faults.extend([HEADER_ONLY, BLANK_LINES_FIRST, CRLF, BOM])
    header, blank, crlf, bom = (ask(sandbox).content for _ in range(4))
    assert header == good[: good.index(b"\n") + 1]
    assert blank == b"\r\n\r\n" + good
    assert bom == b"\xef\xbb\xbf" + good
    assert parse(crlf) == parse(good)
    assert crlf.count(b"\r\n") == len(parse(good))


def test_columns_can_be_dropped_renamed_added_and_turned_round(sandbox, ask, good):
    sandbox.faults.append(
        Columns(drop=["Status"], rename={"Contact ID": "Contact Id"}, add={"Billable (Y/N)": "Y"}, reverse=True)
    )
    header, *rows = parse(ask(sandbox).content)
    good_header, *good_rows = parse(good)
    assert header[0] == "Billable (Y/N)"
    assert {row[0] for row in rows} == {"Y"}
    expected = ["Contact Id" if name == "Contact ID" else name for name in good_header if name != "Status"]
    assert header[:0:-1] == expected
    assert [row[-1] for row in rows] == [row[0] for row in good_rows]
    contact_id = good_header.index("Contact ID")
    assert [row[header.index("Contact Id")] for row in rows] == [row[contact_id] for row in good_rows]


def test_a_slow_answer_is_good_but_late(sandbox, ask, good):
    sandbox.faults.append(Slow(0.3))
    started = time.monotonic()
    assert ask(sandbox).content == good
    assert time.monotonic() - started >= 0.3

"""Each fault of the nightly files, as a client meets it."""

import json
from datetime import date, timedelta

import pytest
import requests

from demo.answers import Answer
from demo.export_jobs import Night
from demo.faults import HTML, ZERO_BYTES, Body, CutBody, Status
from demo.json_faults import (
    BLANK_LINES_BETWEEN,
    MISSING,
    NO_LAST_LINE_BREAK,
    AmbiguousPayload,
    DamagedLine,
    MoreLines,
)

YESTERDAY = date(2026, 1, 30)
ITEMS = "conversation_items.jsonl"


@pytest.fixture
def job_id(sandbox, get):
    jobs = get(sandbox, "export/jobs").json()
    return next(job["id"] for job in jobs if job["parameters"]["startAt"].startswith(str(YESTERDAY)))


@pytest.fixture
def fetch(sandbox, get, job_id):
    return lambda name=ITEMS: get(sandbox, f"export/jobs/{job_id}/files/{name}")


@pytest.fixture
def good(fetch):
    return fetch().content


def spoiled(sandbox, fetch, fault):
    sandbox.faults_of[ITEMS].append(fault)
    return fetch().content


@pytest.mark.parametrize(
    ("fault", "status"),
    [pytest.param(MISSING, 404, id="missing"), pytest.param(Status(500), 500, id="error"), (HTML, 200)],
)
def test_a_file_can_be_missing_an_error_or_a_web_page_once(sandbox, fetch, good, fault, status):
    sandbox.faults_of[ITEMS].append(fault)
    spoilt = fetch()
    assert (spoilt.status_code, spoilt.content != good) == (status, True)
    assert fetch().content == good


def test_a_fault_is_asked_for_by_file_name_by_path_or_by_night(sandbox, fetch, job_id):
    sandbox.faults_of["topics.jsonl"].append(Status(500))
    sandbox.faults_of[f"export/jobs/{job_id}/files/topics.jsonl"].append(Status(503))
    sandbox.nights[YESTERDAY] = Night(faults={"agents.jsonl": ZERO_BYTES})
    assert [fetch("topics.jsonl").status_code for _ in range(3)] == [503, 500, 200]
    assert [fetch("agents.jsonl").content for _ in range(2)] == [b"", b""]
    assert fetch(ITEMS).status_code == 200


def test_a_fault_of_a_night_leaves_other_nights_alone(sandbox, fetch, good):
    sandbox.nights[YESTERDAY - timedelta(days=1)] = Night(faults={ITEMS: MISSING})
    assert fetch().content == good


@pytest.mark.parametrize("after", [0, 5000])
def test_a_file_can_break_off(sandbox, fetch, after):
    sandbox.faults_of[ITEMS].append(CutBody(after))
    with pytest.raises(requests.exceptions.ChunkedEncodingError, match=rf"IncompleteRead\({after} bytes read"):
        fetch()


def test_blank_lines_can_stand_between_and_after_the_good_ones(sandbox, fetch, good):
    lines = spoiled(sandbox, fetch, BLANK_LINES_BETWEEN).splitlines()
    assert [line for line in lines if line.strip()] == good.splitlines()
    assert lines[1] == b""
    assert lines[-2] == b"  "


def test_the_last_line_break_can_be_missing(sandbox, fetch, good):
    assert spoiled(sandbox, fetch, NO_LAST_LINE_BREAK) + b"\n" == good


def test_a_line_can_be_damaged_among_good_ones(sandbox, fetch, good):
    lines = spoiled(sandbox, fetch, DamagedLine(3)).splitlines()
    assert [place for place, pair in enumerate(zip(lines, good.splitlines(), strict=True)) if len(set(pair)) > 1] == [2]
    with pytest.raises(json.JSONDecodeError):
        json.loads(lines[2])


def test_a_payload_can_have_two_keys_that_make_one_columns_name(sandbox, fetch, good):
    sandbox.faults_of[ITEMS].extend([AmbiguousPayload(), AmbiguousPayload({"Customer ID": "x"}, within="", number=2)])
    first, second = (fetch().content.splitlines() for _ in range(2))
    lines = good.splitlines()
    assert json.loads(first[0])["content"] == {
        **json.loads(lines[0])["content"],
        "hotelCode": "ASP",
        "hotel_code": "LIS",
    }
    assert json.loads(second[1]) == {**json.loads(lines[1]), "Customer ID": "x"}
    assert (first[1:], second[2:]) == (lines[1:], lines[2:])


def test_lines_of_any_kind_can_follow_the_good_ones(sandbox, fetch, good):
    twin = {**json.loads(good.splitlines()[0]), "content": {"type": "HOLOGRAM"}}
    assert spoiled(sandbox, fetch, MoreLines((twin,))) == good + json.dumps(twin).encode() + b"\n"


def test_a_file_can_be_any_bytes(sandbox, fetch):
    assert spoiled(sandbox, fetch, Body(b'{"id":"\xff"}\n', "application/x-ndjson")) == b'{"id":"\xff"}\n'


def test_a_line_that_is_not_there_cannot_be_damaged():
    with pytest.raises(ValueError, match="the file has 2 lines, so none is number 3"):
        DamagedLine(3).spoil(Answer(200, b"{}\n{}\n"))

"""The sandbox's HTTP: who may ask, for what, how often, and what comes back."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest
import requests

from demo.faults import Slow
from demo.places import INBOXES
from demo.reports import REPORTS
from demo.sandbox import Sandbox

DAYS = {"startAt": "2026-01-30", "endAt": "2026-01-30"}
EXPORT = {"metricSet": "ContactExportReportV3"}
TIMESTAMPS = {"metricSet": "ContactTimestampsReport"}


def post(sandbox, body, *, auth=Sandbox.credentials):
    return requests.post(f"{sandbox.url}/api/v1/reports", data=json.dumps(body), auth=auth, timeout=20)


def test_a_report_is_csv_without_a_charset_and_with_the_vendors_headers(sandbox, ask):
    response = ask(sandbox, first="2026-01-29")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/csv"
    assert response.headers["Content-Disposition"] == (
        "attachment; filename=ContactExportReportV3-20260129-20260130-Daily.csv"
    )
    assert response.headers["Ratelimit-Limit-Second"] == "10"
    assert "Ratelimit-Remaining-Second" in response.headers


@pytest.mark.parametrize("auth", [None, ("loader@hotelmind.example", "wrong")], ids=["none", "wrong token"])
def test_without_the_right_credentials_nothing_is_told(sandbox, auth):
    assert post(sandbox, EXPORT | DAYS, auth=auth).status_code == 401
    assert requests.get(f"{sandbox.url}/api/v1/organization", auth=auth, timeout=20).status_code == 401


def test_the_organization_is_a_cheap_way_to_try_credentials(sandbox):
    answer = requests.get(f"{sandbox.url}/api/v1/organization", auth=sandbox.credentials, timeout=20)
    assert answer.json()["timezone"] == "America/Denver"
    assert sandbox.requests == []
    assert [(read.target, read.status) for read in sandbox.reads] == [("/api/v1/organization", 200)]


@pytest.mark.parametrize("path", ["/api/v1/customers", "/api/v1/export", "/api/v1/agents/", "/organization", "/"])
def test_what_is_not_there_is_404(sandbox, path):
    answer = requests.get(sandbox.url + path, auth=sandbox.credentials, timeout=20)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (404, "not_exist")
    assert requests.post(sandbox.url + path, auth=sandbox.credentials, timeout=20).status_code == 404


TIMES = {"startAtTime": "2026-01-30T00:00Z", "endAtTime": "2026-01-30T23:59Z"}


@pytest.mark.parametrize(
    ("body", "attr", "code"),
    [
        pytest.param(["no", "object"], None, "invalid", id="not an object"),
        pytest.param(DAYS, "metricSet", "blank", id="no metric set"),
        pytest.param(DAYS | {"metricSet": "ContactExportReport"}, "metricSet", "invalid", id="retired metric set"),
        pytest.param(EXPORT | {"endAt": "2026-01-30"}, "startAt", "blank", id="no start"),
        pytest.param(EXPORT | DAYS | {"endAt": "30.01.2026"}, "endAt", "invalid", id="date in another form"),
        pytest.param(EXPORT | DAYS | {"endAt": "2026-02-30"}, "endAt", "invalid", id="no such day"),
        pytest.param(EXPORT | DAYS | {"endAt": "2026-01-29"}, "startAt", "invalid", id="end before start"),
        pytest.param(EXPORT | DAYS | {"timezone": "Mars/Base"}, "timezone", "invalid", id="unknown zone"),
        pytest.param(EXPORT | DAYS | {"timezone": "America"}, "timezone", "invalid", id="half a zone"),
        pytest.param(EXPORT | DAYS | {"aggregationLevel": "hourly"}, "aggregationLevel", "invalid", id="level"),
        pytest.param(EXPORT | DAYS | TIMES, "startAt", "present", id="dates mixed with times"),
        pytest.param(EXPORT | TIMES | {"timezone": "UTC"}, "timezone", "present", id="zone mixed with times"),
        pytest.param(EXPORT | {"startAtTime": TIMES["startAtTime"]}, "endAtTime", "blank", id="half a pair of times"),
        pytest.param(EXPORT | TIMES | {"endAtTime": "2026-01-29T10:00Z"}, "startAtTime", "invalid", id="times turned"),
        pytest.param(EXPORT | TIMES | {"endAtTime": "2026-01-30T10:00"}, "endAtTime", "invalid", id="no offset"),
        pytest.param(TIMESTAMPS | TIMES, "startAtTime", "invalid", id="times for a report of dates"),
        pytest.param(EXPORT | DAYS | {"filters": {"teams": []}}, "filters.teams", "invalid", id="filter not allowed"),
        pytest.param(
            TIMESTAMPS | DAYS | {"filters": {"channel": "sms"}}, "filters.channel", "invalid", id="no filters"
        ),
        pytest.param(EXPORT | DAYS | {"filters": {"inboxes": ["x"]}}, "filters.inboxes", "present", id="unknown inbox"),
        pytest.param(EXPORT | DAYS | {"filters": {"channel": "SMS"}}, "filters.channel", "invalid", id="channel word"),
    ],
)
def test_a_bad_request_is_refused_in_the_documented_shape(sandbox, body, attr, code):
    response = post(sandbox, body)
    assert response.status_code == 400
    (error,) = response.json()["errors"]
    assert (error.get("attr"), error["code"]) == (attr, code)
    assert error["detail"]


def test_the_last_day_of_a_window_is_included(sandbox, ask, read_rows):
    rows = read_rows(ask(sandbox, first="2026-01-28", last="2026-01-30"))
    assert {row["Queued At"][:10] for row in rows} == {"2026-01-28", "2026-01-29", "2026-01-30"}
    assert len(rows) == 3 * 40


def test_without_a_time_zone_the_organizations_is_used(sandbox, ask, read_rows):
    named, unnamed, utc = (read_rows(ask(sandbox, timezone=timezone)) for timezone in ("America/Denver", None, "UTC"))
    assert unnamed == named
    assert {row["Timezone Filter"] for row in named} == {"America/Denver"}
    assert {row["Contact ID"] for row in named} != {row["Contact ID"] for row in utc}


@pytest.mark.parametrize("timezone", ["America/Denver", "Asia/Tokyo"])
def test_windows_of_single_days_give_the_same_rows_as_one_of_them_all(sandbox, ask, read_rows, timezone):
    """Around the day the clocks change, too."""
    sandbox.today = date(2025, 11, 10)
    days = [f"2025-11-0{day}" for day in range(1, 6)]
    whole = read_rows(ask(sandbox, first=days[0], last=days[-1], timezone=timezone))
    parts = [row for day in days for row in read_rows(ask(sandbox, first=day, last=day, timezone=timezone))]
    assert sorted(row["Contact ID"] for row in parts) == sorted(row["Contact ID"] for row in whole)


def test_a_window_of_times_includes_its_last_minute(sandbox, read_rows):
    all_day = read_rows(post(sandbox, EXPORT | TIMES))
    assert len(all_day) == 40
    last = max(row["Queued At"] for row in all_day)
    minute = last[:16].replace(" ", "T") + "Z"
    response = post(sandbox, EXPORT | {"startAtTime": minute, "endAtTime": minute})
    assert last in {row["Queued At"] for row in read_rows(response)}
    assert re.search(r"-20260130T\d{4}Z-20260130T\d{4}Z\.csv$", response.headers["Content-Disposition"])


def test_nothing_later_than_the_day_has_happened(sandbox, ask, read_rows):
    """The day begins at midnight in the organization's zone: 07:00 UTC."""
    anchors = {
        "ContactExportReportV3": "Queued At",
        "ContactTimestampsReport": "Timestamp",
        "ConversationExportReport": "Created At",
        "ConversationTimestampsReport": "Timestamp",
    }
    for metric_set, column in anchors.items():
        rows = read_rows(ask(sandbox, metric_set, last="2026-12-31"))
        assert "2026-01-30 23:59:59" < max(row[column] for row in rows) < "2026-01-31 07:00:00"


def test_the_same_seed_and_day_give_the_same_bytes(sandbox, ask):
    for metric_set in REPORTS:
        with Sandbox(today=sandbox.today) as twin, Sandbox(today=sandbox.today, seed=8) as other:
            bodies = [ask(each, metric_set, first="2026-01-10").content for each in (sandbox, twin, other)]
        assert bodies[0] == bodies[1] != bodies[2]


def test_a_window_without_contacts_is_a_header(sandbox, ask):
    response = ask(sandbox, first="2026-06-01", last="2026-06-02")
    assert response.content.count(b"\n") == 1


def test_the_row_cap_cuts_in_silence(ask, read_rows):
    with Sandbox(today=date(2026, 1, 31), contacts_per_day=50, row_cap=100, requests_per_minute=None) as sandbox:
        counts = [len(read_rows(ask(sandbox, first=first))) for first in ("2026-01-28", "2026-01-29", "2026-01-30")]
    assert counts == [100, 100, 50]


@pytest.mark.parametrize("sends_retry_after", [True, False])
def test_more_reports_than_the_minute_allows_are_refused_until_it_is_over(ask, sends_retry_after):
    now = [1000.0]
    with Sandbox(
        today=date(2026, 1, 31), requests_per_minute=3, sends_retry_after=sends_retry_after, clock=lambda: now[0]
    ) as sandbox:
        assert [ask(sandbox).status_code for _ in range(4)] == [200, 200, 200, 429]
        now[0] += 20.5
        refused = ask(sandbox)
        assert refused.headers.get("Retry-After") == ("40" if sends_retry_after else None)
        now[0] += 39.5
        assert ask(sandbox).status_code == 200
        assert [request.at for request in sandbox.requests[-2:]] == [1020.5, 1060.0]


def test_more_reports_at_once_than_two_are_refused(ask):
    with Sandbox(today=date(2026, 1, 31), requests_per_minute=None) as sandbox:
        sandbox.faults.extend([Slow(1), Slow(1)])
        with ThreadPoolExecutor(2) as pool:
            slow = [pool.submit(ask, sandbox) for _ in range(2)]
            while len(sandbox.requests) < 2:
                time.sleep(0.01)
            assert ask(sandbox).status_code == 429
            assert [answer.result().status_code for answer in slow] == [200, 200]
        assert ask(sandbox).status_code == 200


def test_every_report_request_is_remembered_with_its_body_and_status(sandbox, ask):
    ask(sandbox, first="2026-01-01", last="2026-01-30")
    post(sandbox, "no report")
    post(sandbox, EXPORT, auth=None)
    assert [request.status for request in sandbox.requests] == [200, 400, 401]
    body = sandbox.requests[0].body
    assert (body["startAt"], body["endAt"], body["timezone"]) == ("2026-01-01", "2026-01-30", "UTC")


def test_an_extra_report_is_streamed_as_it_lies_whatever_the_window(ask, tmp_path: Path):
    path = tmp_path / "bench.csv"
    path.write_bytes(b"id,text\r\n" + b"1,one line of a report that is already there\r\n" * 400_000)
    with Sandbox(today=date(2026, 1, 31), extra_reports={"BenchContacts": path}, row_cap=10) as sandbox:
        tracemalloc.start()
        with requests.post(
            f"{sandbox.url}/api/v1/reports",
            json={"metricSet": "BenchContacts", "startAt": "1999-01-01", "endAt": "1999-01-01"},
            auth=sandbox.credentials,
            timeout=20,
            stream=True,
        ) as response:
            received = sum(len(piece) for piece in response.iter_content(1024 * 1024))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert ask(sandbox, "BenchContacts").content == path.read_bytes()
    assert received == int(response.headers["Content-Length"]) == path.stat().st_size
    assert peak < received / 2


def test_a_report_that_is_made_up_comes_in_chunks(sandbox, ask):
    response = ask(sandbox)
    assert response.headers["Transfer-Encoding"] == "chunked"
    assert "Content-Length" not in response.headers


def test_one_connection_serves_many_requests(sandbox):
    with requests.Session() as session:
        session.auth = sandbox.credentials
        for status, body in ((200, EXPORT | DAYS), (400, EXPORT), (200, TIMESTAMPS | DAYS)):
            assert session.post(f"{sandbox.url}/api/v1/reports", json=body, timeout=20).status_code == status


def test_the_sandbox_stops_at_once_and_leaves_no_thread(ask):
    before = set(threading.enumerate())
    with ThreadPoolExecutor(1) as pool:
        with Sandbox(today=date(2026, 1, 31)) as sandbox:
            sandbox.faults.append(Slow(60))
            answer = pool.submit(ask, sandbox)
            while not sandbox.requests:
                time.sleep(0.01)
            started = time.monotonic()
        with pytest.raises(requests.ConnectionError):
            answer.result()
        assert time.monotonic() - started < 5
    assert set(threading.enumerate()) <= before


def test_the_sandbox_runs_from_a_shell(tmp_path: Path, read_rows):
    path = tmp_path / "bench.csv"
    path.write_text("id\n1\n")
    options = "--port 0 --seed 3 --today 2026-01-31 --contacts-per-day 5 --requests-per-minute 0 --row-cap 0"
    command = [sys.executable, "-m", "demo.sandbox", *options.split(), "--report", f"Bench={path}"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        url, user, token = re.fullmatch(r"(\S+) on 2026-01-31, .*: (\S+) (\S+)\n", process.stdout.readline()).groups()
        for metric_set, count in (("ContactExportReportV3", 5), ("Bench", 1)):
            body = {"metricSet": metric_set, "timezone": "UTC", **DAYS}
            response = requests.post(f"{url}/api/v1/reports", json=body, auth=(user, token), timeout=20)
            assert len(read_rows(response)) == count
        process.send_signal(signal.SIGINT)
        _, log = process.communicate(timeout=20)
    assert process.returncode == 0
    assert log.count("POST /api/v1/reports") == 2


def test_conversations_can_be_filtered_by_the_inbox_they_are_in(sandbox, ask, read_rows):
    (billing,) = (inbox for inbox in INBOXES if inbox.name == "Billing")
    days = {"metric_set": "ConversationExportReport", "first": "2026-01-01"}
    rows = read_rows(ask(sandbox, **days, filters={"inboxes": [billing.inbox_id]}))
    assert {row["Inbox Name - Current"] for row in rows} == {row["Inboxes Filter"] for row in rows} == {"Billing"}
    assert 0 < len(rows) < len(read_rows(ask(sandbox, **days)))
    assert ask(sandbox, **days, filters={"channel": "sms"}).status_code == 400


def test_inboxes_and_channels_can_be_filtered(sandbox, ask, read_rows):
    inboxes = [inbox for inbox in INBOXES if inbox.name in {"Billing", "Front Desk Aspen"}]
    filters = {"channel": "voice", "inboxes": [inbox.inbox_id for inbox in inboxes]}
    rows = read_rows(ask(sandbox, first="2026-01-01", filters=filters))
    assert {row["Inbox When Queued"] for row in rows} == {"Billing", "Front Desk Aspen"}
    assert {row["Channel"] for row in rows} == {"PHONE_CALL"}
    assert {row["Inboxes Filter"] for row in rows} == {"Billing,Front Desk Aspen"}
    unfiltered = read_rows(ask(sandbox, first="2026-01-01", filters={}))
    assert {row["Inboxes Filter"] for row in unfiltered} == {"All Inboxes"}
    assert len(unfiltered) > len(rows)


def test_a_month_of_everything_takes_about_a_second(sandbox, ask, get):
    started = time.process_time()
    for metric_set in REPORTS:
        ask(sandbox, metric_set, first="2025-12-31")
    for job in get(sandbox, "export/jobs").json():
        for file_name in job["files"]:
            get(sandbox, f"export/jobs/{job['id']}/files/{file_name}")
    # Twice what it takes on a machine with nothing else to do, the client's part included.
    assert time.process_time() - started < 3

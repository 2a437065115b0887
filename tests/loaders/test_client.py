from __future__ import annotations

import io
import json
import logging
import threading
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import pytest
import requests

from loaders.errors import SettingsError, SourceError, SourceUnavailableError
from loaders.gladly.client import GladlyClient
from loaders.gladly.report_csv import read_report
from loaders.gladly.window import Window

CASES = Path(__file__).parent / "cases"
SUBJECT = "gladly.contact_export 2026-01-01..2026-01-31"
JANUARY = Window(date(2026, 1, 1), date(2026, 1, 31))
CSV = {"Content-Type": "text/csv"}
NOON = datetime(2026, 2, 1, 12, tzinfo=UTC)


@dataclass
class Answer:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    after: float = 0.0  # seconds until the first byte


@dataclass
class Gladly:
    """A server on loopback that plays a list of answers, or cuts reports at a row limit, and keeps what was asked."""

    answers: list[Answer] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""
    stopped: threading.Event = field(default_factory=threading.Event)

    def answer(self, question: dict[str, Any]) -> Answer:
        return self.answers.pop(0)


@dataclass
class Clock:
    """Time that passes only in sleep."""

    now: float = 1000.0
    sleeps: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now += seconds

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def gladly() -> Iterator[Gladly]:
    played = Gladly()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            played.headers.append(dict(self.headers))
            played.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            assert self.path == "/api/v1/reports"
            answer = played.answer(played.asked[-1])
            played.stopped.wait(answer.after)
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body[: answer.cut_after])

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    played.url = f"http://127.0.0.1:{server.server_port}/"
    yield played
    played.stopped.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as one:
        one.trust_env = False
        yield one


@pytest.fixture
def client(gladly: Gladly, clock: Clock, session: requests.Session) -> GladlyClient:
    return make_client(gladly.url, clock, session)


def make_client(url: str, clock: Clock, session: requests.Session, **settings: Any) -> GladlyClient:
    settings = {"requests_per_minute": None, "now": lambda: NOON, **settings}
    return GladlyClient(
        url,
        "agent@acme.example",
        "s3cret/tökén",
        session=session,
        sleep=clock.sleep,
        monotonic=clock.monotonic,
        **settings,
    )


def ask(client: GladlyClient, into: BinaryIO | None = None) -> bytes:
    into = into or io.BytesIO(b"left over from before")
    client.report(
        metric_set="ContactExportReportV3",
        start=JANUARY.start,
        end=JANUARY.end,
        timezone="America/New_York",
        into=into,
        subject=SUBJECT,
    )
    return into.read()


def played_case() -> list[Answer]:
    """The answers of the case file: a limit, a cut body, a fault, the whole report."""
    answers = []
    for step in json.loads((CASES / "limits_and_cut_bodies.json").read_text()):
        body = (CASES / step["body_file"]).read_bytes() if "body_file" in step else step["body"].encode()
        headers = {
            name: str(len(body)) if name == "Content-Length" else value for name, value in step["headers"].items()
        }
        answers.append(Answer(step["status"], body, headers, step.get("cut_after_bytes")))
    return answers


def test_a_request_names_days_zone_and_no_filters(gladly: Gladly, client: GladlyClient) -> None:
    gladly.answers = [Answer(body=b"a,b\n", headers=CSV)]
    assert ask(client) == b"a,b\n"
    assert gladly.asked == [
        {
            "metricSet": "ContactExportReportV3",
            "startAt": "2026-01-01",
            "endAt": "2026-01-31",
            "timezone": "America/New_York",
            "filters": {},
        }
    ]
    # Basic, of the UTF-8 bytes.
    assert gladly.headers[0]["Authorization"] == "Basic YWdlbnRAYWNtZS5leGFtcGxlOnMzY3JldC90w7Zrw6lu"


def test_limits_faults_and_cut_bodies_are_asked_for_again_until_the_report_is_whole(
    gladly: Gladly, client: GladlyClient, clock: Clock
) -> None:
    gladly.answers = played_case()
    into = io.BytesIO()
    ask(client, into)
    report = read_report(into, subject=SUBJECT, required=["contact_id"])
    rows = [row for batch in report.batches() for row in batch.to_pylist()]
    assert [row["contact_id"] for row in rows] == [f"W-{number}" for number in range(1, 9)]
    assert len(gladly.asked) == 4
    assert all(question == gladly.asked[0] for question in gladly.asked)
    assert len(clock.sleeps) == 3
    assert clock.sleeps[0] >= 2


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        pytest.param(Answer(429), "HTTP 429 after 3 attempts; lower requests_per_minute", id="limit"),
        pytest.param(Answer(503), "HTTP 503 after 3 attempts; Gladly has a fault", id="fault"),
        pytest.param(
            Answer(body=b"a,b\n1,2\n", headers={"Content-Length": "8"}, cut_after=5),
            "the body was cut off or garbled after 3 attempts; try later",
            id="cut by length",
        ),
        pytest.param(
            Answer(body=b"4\r\na,b\n\r\n4\r\n1,", headers={"Transfer-Encoding": "chunked"}),
            "the body was cut off or garbled after 3 attempts; try later",
            id="cut inside a chunk",
        ),
        pytest.param(
            Answer(after=5), "no answer in time after 3 attempts; try later, or ask for fewer days", id="slow"
        ),
    ],
)
def test_tries_end_and_leave_no_partial_body(
    gladly: Gladly, clock: Clock, session: requests.Session, answer: Answer, problem: str
) -> None:
    gladly.answers = [answer] * 9
    client = make_client(gladly.url, clock, session, attempts=3, timeout=(5, 0.2))
    into = io.BytesIO(b"left over from before")
    with pytest.raises(SourceUnavailableError, match=f"^{SUBJECT}: {problem}"):
        ask(client, into)
    assert into.getvalue() == b""
    assert (len(gladly.asked), len(clock.sleeps)) == (3, 2)


def test_a_server_that_is_not_there_ends_the_tries(clock: Clock, session: requests.Session) -> None:
    client = make_client("http://127.0.0.1:9", clock, session, attempts=2)
    with pytest.raises(
        SourceUnavailableError, match=r"the connection failed \(NewConnectionError\) after 2 attempts; check"
    ):
        ask(client)


def test_waits_double_and_outlast_the_minute_of_the_limit(gladly: Gladly, client: GladlyClient, clock: Clock) -> None:
    gladly.answers = [Answer(429)] * 5
    with pytest.raises(SourceUnavailableError, match="HTTP 429 after 5 attempts"):
        ask(client)
    assert all(low <= wait <= 2 * low for low, wait in zip((4, 8, 16, 32), clock.sleeps, strict=True))
    assert sum(clock.sleeps) >= 60


@pytest.mark.parametrize(
    ("asked_for", "least"),
    [
        pytest.param("90", 90, id="seconds"),
        pytest.param("90.5", 90.5, id="parts of seconds"),
        pytest.param(format_datetime(NOON + timedelta(seconds=75), usegmt=True), 75, id="a date"),
        pytest.param(format_datetime(NOON - timedelta(days=1), usegmt=True), 4, id="a date that is over"),
        pytest.param("soon", 4, id="unreadable"),
    ],
)
def test_retry_after_is_the_least_that_is_waited(
    gladly: Gladly, client: GladlyClient, clock: Clock, asked_for: str, least: float
) -> None:
    gladly.answers = [Answer(429, headers={"Retry-After": asked_for}), Answer(body=b"a,b\n")]
    assert ask(client) == b"a,b\n"
    assert len(clock.sleeps) == 1
    assert least <= clock.sleeps[0] <= max(8, least)


def test_a_wait_beyond_all_patience_is_refused_at_once(gladly: Gladly, client: GladlyClient, clock: Clock) -> None:
    gladly.answers = [Answer(429, headers={"Retry-After": "86400"})]
    with pytest.raises(SourceUnavailableError, match="after 1 attempt, the next wait of 86400 s is too long; lower"):
        ask(client)
    assert clock.sleeps == []


def test_a_body_that_never_ends_is_given_up(gladly: Gladly, session: requests.Session) -> None:
    class Running(Clock):
        def monotonic(self) -> float:
            self.now += 2000
            return self.now

    gladly.answers = [Answer(body=b"x" * 1_000_000)]
    with pytest.raises(SourceUnavailableError, match="not whole after 3600 s; ask for fewer days"):
        ask(make_client(gladly.url, Running(), session))


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        pytest.param(
            b'{"errors": [{"attr": "filters.inboxes", "code": "present", "detail": "unknown"}, {"code": "x"}]}',
            "'filters.inboxes present: unknown; x'",
            id="a list",
        ),
        pytest.param(b'{"errors": {"code": "blank", "detail": "no name"}}', "'blank: no name'", id="one object"),
        pytest.param(b'[{"attr": "metricSet", "code": "blank"}]', "'metricSet blank'", id="a bare list"),
        pytest.param(b'"no\\nsuch report"', "'no such report'", id="a string"),
        pytest.param(b"no such\r\nreport", "'no such report'", id="no JSON"),
        pytest.param(b'{"errors": []}', "'{\"errors\": .]}'", id="no errors in it"),
    ],
)
def test_a_refused_request_says_why(gladly: Gladly, client: GladlyClient, body: bytes, shown: str) -> None:
    gladly.answers = [Answer(400, body)]
    with pytest.raises(SourceError, match=f"^{SUBJECT}: HTTP 400: {shown}; check the source's metric_set"):
        ask(client)
    assert len(gladly.asked) == 1


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        pytest.param(Answer(401), "HTTP 401: .*check GLADLY_USER and GLADLY_API_TOKEN", id="wrong credentials"),
        pytest.param(Answer(403), "HTTP 403: .*check GLADLY_USER and GLADLY_API_TOKEN", id="no permission"),
        pytest.param(Answer(404), "HTTP 404: .*check GLADLY_URL", id="wrong address"),
        pytest.param(
            Answer(302, headers={"Location": "https://elsewhere.example/login"}),
            "HTTP 302 points to 'https://elsewhere.example/login'.*put the final address into GLADLY_URL",
            id="redirect",
        ),
    ],
)
def test_what_asking_again_cannot_change_is_refused_at_once(
    gladly: Gladly, client: GladlyClient, answer: Answer, problem: str
) -> None:
    gladly.answers = [answer]
    with pytest.raises(SourceUnavailableError, match=f"^{SUBJECT}: {problem}"):
        ask(client)
    assert len(gladly.asked) == 1


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "text/html"])
def test_a_success_that_is_no_csv_is_refused_and_shown(gladly: Gladly, client: GladlyClient, kind: str) -> None:
    gladly.answers = [Answer(body=b"<b>Sign in</b>" + b"." * 200, headers={"Content-Type": kind})]
    into = io.BytesIO()
    with pytest.raises(SourceError, match=f"HTTP 200 with '{kind}' instead of CSV: '<b>Sign in</b>[.]{{66}}'"):
        ask(client, into)
    assert into.getvalue() == b""


def test_an_unknown_success_is_no_empty_report(gladly: Gladly, client: GladlyClient) -> None:
    gladly.answers = [Answer(204)]
    with pytest.raises(SourceError, match="HTTP 204"):
        ask(client)


def test_request_starts_keep_their_distance_tries_included(
    gladly: Gladly, clock: Clock, session: requests.Session
) -> None:
    starts = []

    def answer(_: dict[str, Any]) -> Answer:
        starts.append(clock.now)
        clock.now += 1.5  # what the answer takes counts
        return Answer(503 if len(starts) == 2 else 200, b"a,b\n")

    gladly.answer = answer  # type: ignore[method-assign]
    client = make_client(gladly.url, clock, session, requests_per_minute=4)
    for _ in range(3):
        ask(client)
    distances = [later - earlier for earlier, later in pairwise(starts)]
    assert distances == pytest.approx([15, 15, 15])


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Answer(400, "no s3cret/tökén for agent@acme.example".encode()), id="refused request"),
        pytest.param(Answer(400, b'{"errors": [{"detail": "s3cret\\/t\\u00f6k\\u00e9n"}]}'), id="escaped"),
        pytest.param(Answer(418, b"Basic YWdlbnRAYWNtZS5leGFtcGxlOnMzY3JldC90w7Zrw6lu"), id="header echoed"),
        pytest.param(Answer(302, headers={"Location": "https://x.example/?u=agent@acme.example"}), id="redirect"),
        pytest.param(Answer(401, b"agent@acme.example"), id="refused credentials"),
        pytest.param(Answer(503, b"agent@acme.example"), id="fault"),
    ],
)
def test_credentials_are_in_no_error_no_log_and_no_repr(
    gladly: Gladly, client: GladlyClient, answer: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    gladly.answers = [answer] * 5
    with pytest.raises(SourceError, match=f"^{SUBJECT}: HTTP {answer.status}") as caught:
        ask(client)
    shown = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(client)
    for secret in ("s3cret", "agent@acme", "YWdlbnRA"):
        assert secret not in shown


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        pytest.param("http://acme.gladly.com", "must start with https://", id="in the open"),
        pytest.param("http://127.0.0.1.example", "must start with https://", id="like this machine"),
        pytest.param("https://me:pass@acme.gladly.com", "no plain address", id="with a password"),
        pytest.param("acme.gladly.com", "no plain address", id="without a scheme"),
        pytest.param("", "no plain address", id="empty"),
        pytest.param("https://acme.gladly.com:port", "no address", id="no port"),
    ],
)
def test_an_address_that_would_show_the_token_is_refused(
    clock: Clock, session: requests.Session, url: str, problem: str
) -> None:
    with pytest.raises(SettingsError, match=f"^GLADLY_URL .*{problem}|^GLADLY_URL {problem}") as caught:
        make_client(url, clock, session)
    assert "pass" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["https://acme.gladly.com", "http://localhost:8080", "http://[::1]:80/", "http://127.8.8.8"]
)
def test_https_and_this_machine_are_accepted(clock: Clock, session: requests.Session, url: str) -> None:
    assert repr(make_client(url, clock, session)) == f"GladlyClient({url!r})"


@pytest.mark.parametrize("setting", [{"requests_per_minute": 0}, {"attempts": 0}], ids=lambda s: next(iter(s)))
def test_settings_out_of_range_are_refused(clock: Clock, session: requests.Session, setting: dict[str, int]) -> None:
    with pytest.raises(SettingsError, match=f"{next(iter(setting))} is 0, expected"):
        make_client("https://acme.gladly.com", clock, session, **setting)

"""A Gladly sandbox over real HTTP on loopback: reports, lists and nightly exports, with limits and faults on demand.

    with Sandbox(today=date(2026, 1, 31)) as sandbox:
        requests.post(f"{sandbox.url}/api/v1/reports", auth=sandbox.credentials, json={...})
        requests.get(f"{sandbox.url}/api/v1/export/jobs", auth=sandbox.credentials, params={"status": "COMPLETED"})
        sandbox.today = date(2026, 2, 1)   # the day turns: waiting contacts end, rows change, others come

From a shell: python -m demo.sandbox --port 8080 --today 2026-01-31
"""

from __future__ import annotations

import argparse
import base64
import json
import logging
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self
from zoneinfo import ZoneInfo

from demo.answers import Answer, csv_answer, file_answer, limit_answer, missing_answer, refusal_answer
from demo.cells import csv_pieces
from demo.desk import Desk
from demo.export_jobs import Night
from demo.faults import Fault
from demo.limits import Limits
from demo.reads import Reads, path_parts
from demo.report_request import RefusedError, ReportRequest, Terms, read_request
from demo.reports import REPORTS
from demo.server import Call, Server

# On every answer. They tell of a limit per second, never of the one that reports have per minute.
_RATE_HEADERS = {"Ratelimit-Limit-Second": "10", "Ratelimit-Remaining-Second": "9"}


class Received(NamedTuple):
    """A report request that came in: when by the sandbox's clock, what it said, and the status it got."""

    at: float
    body: Any  # the parsed JSON; None where it was none
    status: int


class Read(NamedTuple):
    """A GET that came in: when by the sandbox's clock, path and query as they were sent, and the status it got."""

    at: float
    target: str
    status: int


@dataclass(kw_only=True)
class Sandbox:
    """One organization's Gladly. It is `today` 00:00 there: nothing later has happened.

    contacts_per_day counts UTC days. A limit that is None is off. extra_reports are served from their files as they
    lie, whatever the window. `faults` and `faults_of` are spent one a report (see demo.faults), and `faults_of` one a
    list or file too (see demo.json_faults). `nights` says how the export of a day went if not well (see
    demo.export_jobs).
    """

    today: date
    seed: int = 7
    contacts_per_day: int = 40
    organization_timezone: str = "America/Denver"
    requests_per_minute: int | None = 10
    requests_at_once: int | None = 2
    row_cap: int | None = 100_000
    sends_retry_after: bool = False
    extra_reports: Mapping[str, Path] = field(default_factory=dict)
    credentials: tuple[str, str] = ("loader@hotelmind.example", "invented-token")
    port: int = 0  # 0: a free one
    clock: Callable[[], float] = time.monotonic
    faults: deque[Fault | None] = field(default_factory=deque)
    faults_of: defaultdict[str, deque[Fault | None]] = field(default_factory=lambda: defaultdict(deque))
    nights: dict[date, Night] = field(default_factory=dict)
    requests: list[Received] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)

    def __post_init__(self) -> None:
        basic = base64.b64encode(":".join(self.credentials).encode()).decode()
        self._authorization = f"Basic {basic}"
        self._zone = ZoneInfo(self.organization_timezone)
        self._limits = Limits(per_minute=self.requests_per_minute, at_once=self.requests_at_once, clock=self.clock)

    def __enter__(self) -> Self:
        self._server = Server(self.port, self._answering)
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop()

    @property
    def url(self) -> str:
        """Where the organization's host stands for; the API is below /api/v1."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def _answering(self, call: Call) -> Iterator[Answer]:
        is_report = (call.method, call.path) == ("POST", "/api/v1/reports")
        is_authorized = call.authorization == self._authorization
        received_at = self.clock()
        with ExitStack() as place:
            if not is_authorized:
                answer = Answer(401, b"Unauthorized")
            elif call.method == "GET":
                answer = self._read(call.path)
            elif not is_report:
                answer = missing_answer(f"{call.method} {call.path}")
            elif (wait := place.enter_context(self._limits.admit())) is not None:
                answer = limit_answer(wait if self.sends_retry_after else None)
            else:
                answer = self._report(call.body)
            if is_report:
                self.requests.append(Received(received_at, _parsed(call.body), answer.status))
            elif call.method == "GET":
                self.reads.append(Read(received_at, call.path, answer.status))
            yield replace(answer, headers={**answer.headers, **_RATE_HEADERS})

    def _read(self, target: str) -> Answer:
        organization = {
            "id": "oRg1_hotelmind-sandbox",
            "name": "HotelMind",
            "loginDomain": "hotelmind.example",
            "timezone": self.organization_timezone,
            "gladlyUrl": self.url,
        }
        answer = Reads(self._desk(), organization, self.nights).answer(target)
        parts = path_parts(target)
        faults = self.faults_of.get("/".join(parts)) or self.faults_of.get(parts[-1] if parts else "")
        return answer if answer.status != 200 else _spoil(answer, faults)

    def _report(self, body: bytes) -> Answer:
        terms = {name: report.terms for name, report in REPORTS.items()}
        terms |= {name: Terms(filters=None) for name in self.extra_reports}
        try:
            request = read_request(body, terms=terms, default_zone=self._zone)
        except RefusedError as error:
            return refusal_answer(error)
        answer = self._good_report(request)
        return _spoil(answer, self.faults_of[request.metric_set] or self.faults)

    def _good_report(self, request: ReportRequest) -> Answer:
        if request.metric_set in self.extra_reports:
            return file_answer(self.extra_reports[request.metric_set], file_name=request.file_name)
        report = REPORTS[request.metric_set]
        # Gladly cuts at the cap without a word.
        rows = islice(report.rows(self._desk(), request), self.row_cap)
        return csv_answer(csv_pieces(report.headers, rows), file_name=request.file_name)

    def _desk(self) -> Desk:
        return Desk(self.seed, self.contacts_per_day, self.today, self._zone)


def _spoil(answer: Answer, faults: deque[Fault | None] | None) -> Answer:
    fault = faults.popleft() if faults else None
    return fault.spoil(answer) if fault else answer


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves until interrupted; a limit of 0 is off."""
    parser = argparse.ArgumentParser(prog="python -m demo.sandbox", description=main.__doc__)
    parser.add_argument("--port", type=int, default=8080, help="0: a free one (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--today", type=date.fromisoformat, default=date.today(), help="YYYY-MM-DD")
    parser.add_argument("--contacts-per-day", type=int, default=40)
    parser.add_argument("--requests-per-minute", type=int, default=10)
    parser.add_argument("--row-cap", type=int, default=100_000)
    parser.add_argument("--report", type=_named_file, action="append", default=[], metavar="NAME=FILE")
    asked = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    sandbox = Sandbox(
        today=asked.today,
        seed=asked.seed,
        contacts_per_day=asked.contacts_per_day,
        requests_per_minute=asked.requests_per_minute or None,
        row_cap=asked.row_cap or None,
        extra_reports=dict(asked.report),
        port=asked.port,
    )
    with sandbox, suppress(KeyboardInterrupt):
        print(f"{sandbox.url} on {sandbox.today}, user and token: {' '.join(sandbox.credentials)}", flush=True)
        threading.Event().wait()


def _named_file(text: str) -> tuple[str, Path]:
    name, _, file = text.partition("=")
    if not name or not Path(file).is_file():
        raise argparse.ArgumentTypeError(f"{text!r}: expected NAME=FILE, and a file that exists")
    return name, Path(file)


if __name__ == "__main__":
    main()

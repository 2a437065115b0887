"""The one way to Gladly: asks over HTTP, at the vendor's pace, again when that may help.

Lists are plain GETs. Reports are not: Gladly answers `POST /api/v1/reports` with the finished CSV, allows 10 a minute
and 2 at once for a whole organization, may or may not send Retry-After, and takes minutes before the first byte.
"""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import UTC, date, datetime
from ipaddress import ip_address
from itertools import count
from random import Random
from typing import BinaryIO, NoReturn
from urllib.parse import quote, urlsplit

import requests
from requests.auth import HTTPBasicAuth
from urllib3.exceptions import ReadTimeoutError

from loaders.errors import SettingsError, SourceGoneError, SourceUnavailableError
from loaders.gladly.answer import FailedTryError, check_answer

CHUNK_BYTES = 1 << 16
# Doubled with every try and then stretched by up to as much again: 4-8, 8-16, 16-32, 32-64 seconds. So five tries
# outlast the minute that the report limit counts in, also when the server does not say how long to wait.
FIRST_WAIT = 4.0
# Uncompressed, so that Content-Length counts the very bytes we keep and a cut body is always seen.
HEADERS = {"Accept-Encoding": "identity"}


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Question:
    """One request: a path below /api/v1, a body where it is a POST, and the kind of answer that is expected.

    `may_be_gone` says that a 404 speaks of the thing asked for, not of the address.
    """

    path: str
    expects: str
    body: Mapping[str, object] | None = None
    is_paced: bool = False
    may_be_gone: bool = False


@dataclass(repr=False, eq=False)
class GladlyClient:
    """Reports and lists of one organization; `session`, `sleep` and the clocks come from outside. Used by one thread.

    SettingsError for a URL that is not https (http is allowed to this very machine), and for settings out of range.
    """

    url: str
    user: str
    token: str
    _: KW_ONLY
    session: requests.Session
    sleep: Callable[[float], object]
    monotonic: Callable[[], float]
    requests_per_minute: float | None  # None: no pacing
    attempts: int = 5
    timeout: tuple[float, float] = (10.0, 300.0)  # to connect; for each read, as the vendor's own samples allow
    longest_wait: float = 600.0  # seconds slept between all tries of one report
    longest_answer: float = 3600.0  # seconds for one body
    randomness: Random = field(default_factory=Random)
    now: Callable[[], datetime] = _utc_now
    _next_start: float = field(default=-math.inf, init=False)

    def __post_init__(self) -> None:
        _check_url(self.url)
        if self.requests_per_minute is not None and not self.requests_per_minute > 0:
            raise SettingsError(f"requests_per_minute is {self.requests_per_minute}, expected a number above 0")
        if self.attempts < 1:
            raise SettingsError(f"attempts is {self.attempts}, expected 1 or more")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def report(self, *, metric_set: str, start: date, end: date, timezone: str, into: BinaryIO, subject: str) -> None:
        """Stream one whole report into the seekable file `into`, which ends at its start, or empty on any error.

        Both days are included. SourceError for a refused request or an answer that is no report,
        SourceUnavailableError when credentials or address are refused or all tries failed; each begins with `subject`.
        """
        # Every request names its zone: the default is a setting of the vendor's account.
        body = {
            "metricSet": metric_set,
            "startAt": start.isoformat(),
            "endAt": end.isoformat(),
            "timezone": timezone,
            "filters": {},
        }
        self._ask(Question("reports", "csv", body, is_paced=True), into, subject)

    def whole_list(self, *, path: str, into: BinaryIO, subject: str) -> None:
        """Stream one whole JSON list, such as `agents`, in the same way and with the same errors as a report."""
        self._ask(Question(path, "json"), into, subject)

    def export_file(self, *, job_id: str, name: str, into: BinaryIO, subject: str) -> None:
        """Stream one whole file of an export job, in the same way; SourceGoneError for a job past its 14 days."""
        path = f"export/jobs/{quote(job_id, safe='')}/files/{quote(name, safe='')}"
        self._ask(Question(path, "json", may_be_gone=True), into, subject)

    def _ask(self, question: Question, into: BinaryIO, subject: str) -> None:
        patience = self.longest_wait
        for attempt in count(1):
            if question.is_paced:
                self._pace()
            try:
                return self._try(question, into, subject)
            except FailedTryError as failure:
                wait = max(failure.retry_after, FIRST_WAIT * 2 ** (attempt - 1) * (1 + self.randomness.random()))
                if attempt == self.attempts:
                    self._give_up(subject, failure, attempt)
                if wait > patience:
                    self._give_up(subject, failure, attempt, f", the next wait of {wait:.0f} s is too long")
            self.sleep(wait)
            patience -= wait

    def _pace(self) -> None:
        """Wait until the next request may start; every try counts, as it does for the vendor."""
        if self.requests_per_minute is None:
            return
        wait = self._next_start - self.monotonic()
        if wait > 0:
            self.sleep(wait)
        self._next_start = max(self._next_start, self.monotonic()) + 60 / self.requests_per_minute

    def _try(self, question: Question, into: BinaryIO, subject: str) -> None:
        _empty(into)
        try:
            with self.session.request(
                "GET" if question.body is None else "POST",
                f"{self.url.rstrip('/')}/api/v1/{question.path}",
                json=question.body,
                # As bytes: requests would write text as Latin-1.
                auth=HTTPBasicAuth(self.user.encode(), self.token.encode()),
                headers=HEADERS,
                stream=True,
                timeout=self.timeout,
                allow_redirects=False,
            ) as response:
                if question.may_be_gone and response.status_code == 404:
                    raise SourceGoneError(f"{subject}: HTTP 404: gone for good; Gladly keeps exports for 14 days")
                check_answer(
                    response, expects=question.expects, subject=subject, secrets=self._secrets(), now=self.now()
                )
                self._keep(response, into, subject)
            into.seek(0)
        except BaseException as error:
            _empty(into)  # a partial body never survives
            if isinstance(error, requests.RequestException):
                raise _failed_try(error) from error
            raise

    def _keep(self, response: requests.Response, into: BinaryIO, subject: str) -> None:
        give_up_at = self.monotonic() + self.longest_answer
        for chunk in response.iter_content(CHUNK_BYTES):
            into.write(chunk)
            if self.monotonic() > give_up_at:
                raise SourceUnavailableError(
                    f"{subject}: the body was not whole after {self.longest_answer:.0f} s; ask for fewer days"
                )
        # Not left to urllib3, whose older versions take a cut body for a whole one.
        promised, came = response.headers.get("Content-Length", ""), response.raw.tell()
        if promised.isdecimal() and int(promised) != came:
            raise FailedTryError(f"the body stopped at {came} of {promised} bytes", "try later")

    def _give_up(self, subject: str, failure: FailedTryError, attempt: int, why: str = "") -> NoReturn:
        tries = f"{attempt} attempt{'s' if attempt > 1 else ''}"
        raise SourceUnavailableError(f"{subject}: {failure.problem} after {tries}{why}; {failure.advice}") from failure

    def _secrets(self) -> tuple[str, ...]:
        """Whatever of the credentials a server could repeat: as sent, and the parts."""
        return b64encode(f"{self.user}:{self.token}".encode()).decode(), self.token, self.user


def _empty(into: BinaryIO) -> None:
    into.seek(0)
    into.truncate()


def _failed_try(error: requests.RequestException) -> FailedTryError:
    """The failure in our own words: a library's text may hold addresses and more."""
    if isinstance(error, requests.ConnectTimeout):
        return FailedTryError("no connection in time", "check GLADLY_URL and the network")
    inner = next((argument for argument in error.args if isinstance(argument, Exception)), error)
    cause = getattr(inner, "reason", None) or inner
    if isinstance(error, requests.Timeout) or isinstance(cause, ReadTimeoutError):
        return FailedTryError("no answer in time", "try later, or ask for fewer days")
    if isinstance(error, requests.exceptions.ChunkedEncodingError | requests.exceptions.ContentDecodingError):
        return FailedTryError("the body was cut off or garbled", "try later")
    return FailedTryError(f"the connection failed ({type(cause).__name__})", "check GLADLY_URL and the network")


def _check_url(url: str) -> None:
    # The message never shows the URL: what stands in it before an @ may be a password.
    if not re.fullmatch(r"https?://[^\s/?#@\\]+(/[^\s?#@\\]*)?", url):
        raise SettingsError("GLADLY_URL is no plain address such as https://example.gladly.com")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise SettingsError(f"GLADLY_URL is no address: {error}") from error
    if parts.scheme != "https" and not _is_this_machine(host):
        raise SettingsError("GLADLY_URL must start with https://, so that the token is never sent in the open")


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

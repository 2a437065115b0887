"""What an answer's status and headers mean: what was asked for, a refusal, or a reason to ask once more."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import requests

from loaders.errors import SourceError, SourceUnavailableError

# How much of an answer an error shows.
SHOWN_CHARACTERS = 80
SHOWN_OF_REFUSAL = 240
# Enough for any list of errors; the rest of a refusal is not read.
READ_BYTES = 1 << 16

# What to do about a status that asking again does not change.
UNAVAILABLE = {
    401: "the credentials were refused; check GLADLY_USER and GLADLY_API_TOKEN",
    403: "the user may not read reports; check GLADLY_USER and GLADLY_API_TOKEN and its API User permission",
    404: "nothing is served there; check GLADLY_URL",
}


class FailedTryError(Exception):
    """One try failed in a way that another may not; says what to do when none is left."""

    def __init__(self, problem: str, advice: str, retry_after: float = 0.0) -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice
        self.retry_after = retry_after


def check_answer(
    response: requests.Response, *, expects: str, subject: str, secrets: Sequence[str], now: datetime
) -> None:
    """Return for what was asked; FailedTryError where another try may help; SourceError or SourceUnavailableError else.

    `expects` is csv or json. `secrets` are blanked wherever the error shows what the server said.
    """
    status = response.status_code
    if status == 429:
        raise FailedTryError("HTTP 429", "lower requests_per_minute", retry_after(response, now))
    if status >= 500:
        raise FailedTryError(f"HTTP {status}", "Gladly has a fault; try later", retry_after(response, now))
    if status in UNAVAILABLE:
        raise SourceUnavailableError(f"{subject}: HTTP {status}: {UNAVAILABLE[status]}")
    if 300 <= status < 400:
        place = without(secrets, response.headers.get("Location", ""))[:SHOWN_CHARACTERS]
        raise SourceUnavailableError(
            f"{subject}: HTTP {status} points to {place!r}, and credentials are not carried elsewhere; "
            "put the final address into GLADLY_URL"
        )
    if status != 200:
        problem = without(secrets, _problem(_body_start(response)))[:SHOWN_OF_REFUSAL]
        raise SourceError(f"{subject}: HTTP {status}: {problem!r}; check the source's metric_set, days and timezone")
    kind = response.headers.get("Content-Type", "").lower()
    if "html" in kind or ("json" in kind) != (expects == "json"):
        start = without(secrets, _body_start(response))[:SHOWN_CHARACTERS]
        raise SourceError(
            f"{subject}: HTTP 200 with {kind!r} instead of {expects.upper()}: {start!r}; check GLADLY_URL, ask again"
        )
    if "Gladly-Limited-Data" in response.headers:
        raise SourceError(f"{subject}: Gladly says that it cut this list; load it from the nightly export instead")


def retry_after(response: requests.Response, now: datetime) -> float:
    """The seconds that the server asks us to wait, by number or by date; 0 where it asks nothing readable."""
    text = response.headers.get("Retry-After", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text, re.ASCII):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    if moment.tzinfo is None:  # the form with -0000
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def without(secrets: Sequence[str], text: str) -> str:
    """The text with every secret blanked, since a server may repeat what it was sent."""
    for secret in filter(None, secrets):
        text = text.replace(secret, "***")
    return text


def _body_start(response: requests.Response) -> str:
    body = b""
    for chunk in response.iter_content(READ_BYTES):
        body += chunk
        if len(body) >= READ_BYTES:
            break
    return body.decode("utf-8", errors="replace").strip()


def _problem(text: str) -> str:
    """The errors in a refusal. Documented is {"errors": [{attr, code, detail}]}; a bare list, one object instead of
    the list and objects without attr are in the vendor's own examples, so every shape is read.
    """
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(text.split())
    errors = answer.get("errors", answer) if isinstance(answer, dict) else answer
    lines = [_error(error) for error in (errors if isinstance(errors, list) else [errors])]
    return "; ".join(line for line in lines if line) or text


def _error(error: Any) -> str:
    if not isinstance(error, dict):
        return " ".join(str(error).split())
    what = " ".join(str(error[key]) for key in ("attr", "code") if error.get(key))
    return " ".join(": ".join(part for part in (what, str(error.get("detail") or "")) if part).split())

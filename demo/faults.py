"""Faults a test asks for. Each turns one good report into something that a loader has to survive.

    sandbox.faults.append(Status(429, headers={"Retry-After": "1"}))   the next report, whichever it is
    sandbox.faults_of["ContactTimestampsReport"].append(ERROR_TEXT)     the next report of this metric set
    sandbox.faults.extend([None, CutBody(after=1000)])                  the next is good, the one after it is cut

Only a request that would have got its report spends a fault: not one refused for its credentials, the limits or what
it asks for. Lists and files have theirs in `faults_of` alone (see demo.json_faults).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from demo.answers import Answer

Table = list[list[str]]


class Fault(Protocol):
    """Anything that makes a bad answer of a good one."""

    def spoil(self, answer: Answer) -> Answer:
        """The answer that is sent in place of `answer`."""


@dataclass(frozen=True)
class Status:
    """An error status: 401, 403, 429, 500, ..."""

    code: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def spoil(self, answer: Answer) -> Answer:
        return Answer(self.code, self.body, self.headers)


@dataclass(frozen=True)
class Body:
    """Status 200 with exactly these bytes, whatever was asked for."""

    body: bytes
    content_type: str = "text/csv"

    def spoil(self, answer: Answer) -> Answer:
        return Answer(200, self.body, {**answer.headers, "Content-Type": self.content_type})


@dataclass(frozen=True)
class CutBody:
    """The true Content-Length, then only so many bytes, then the connection closes."""

    after: int

    def spoil(self, answer: Answer) -> Answer:
        return replace(answer, body=answer.whole_body(), size=None, cut_after=self.after)


@dataclass(frozen=True)
class Slow:
    """The good answer, but its first byte takes so many seconds."""

    seconds: float

    def spoil(self, answer: Answer) -> Answer:
        return replace(answer, delay=self.seconds)


@dataclass(frozen=True)
class Rewritten:
    """The good report, put through a function from bytes to bytes."""

    rewrite: Callable[[bytes], bytes]

    def spoil(self, answer: Answer) -> Answer:
        return replace(answer, body=self.rewrite(answer.whole_body()), size=None)


@dataclass(frozen=True)
class Columns:
    """The good report with other columns: first dropped, then renamed, then added at the end, then turned round."""

    drop: Collection[str] = ()
    rename: Mapping[str, str] = field(default_factory=dict)
    add: Mapping[str, str] = field(default_factory=dict)  # header -> the value in every row
    reverse: bool = False

    def spoil(self, answer: Answer) -> Answer:
        return Rewritten(lambda body: _print_csv(self._change(_parse_csv(body)))).spoil(answer)

    def _change(self, table: Table) -> Table:
        unknown = {*self.drop, *self.rename} - set(table[0])
        if unknown:
            raise ValueError(f"the report has no column {', '.join(sorted(unknown))}")
        kept = [place for place, header in enumerate(table[0]) if header not in self.drop]
        headers = [self.rename.get(table[0][place], table[0][place]) for place in kept] + list(self.add)
        rows = [[row[place] for place in kept] + list(self.add.values()) for row in table[1:]]
        return [row[::-1] if self.reverse else row for row in (headers, *rows)]


def _parse_csv(body: bytes) -> Table:
    return list(csv.reader(io.StringIO(body.decode(), newline="")))


def _print_csv(table: Table, *, line_end: str = "\n") -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator=line_end).writerows(table)
    return text.getvalue().encode()


ZERO_BYTES = Body(b"")
BLANK_LINES = Body(b"\r\n\r\n")
ERROR_TEXT = Body(b"Unexpected error occurred")
HTML = Body(b"<!DOCTYPE html><html><body>Down for maintenance</body></html>", "text/html")
JSON = Body(b'{"errors":[{"code":"temporary_failure","detail":"try again"}]}', "application/json")
HEADER_ONLY = Rewritten(lambda body: _print_csv(_parse_csv(body)[:1]))
BLANK_LINES_FIRST = Rewritten(lambda body: b"\r\n\r\n" + body)
CRLF = Rewritten(lambda body: _print_csv(_parse_csv(body), line_end="\r\n"))
BOM = Rewritten(lambda body: b"\xef\xbb\xbf" + body)

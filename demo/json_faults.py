"""Faults of the JSON that Gladly serves: cut lists, and files of JSON lines that are not what they should be.

They are asked for like those of demo.faults, which suit lists and files too:

    sandbox.faults_of["agents"].append(CutList(keep=3))                 the next list of agents
    sandbox.faults_of["customers.jsonl"].append(MISSING)                the next file of this name, whichever night's
    sandbox.faults_of[f"export/jobs/{job_id}/files/customers.jsonl"]    the next fetch of this file
    sandbox.nights[day] = Night(faults={"customers.jsonl": MISSING})    every fetch of this file
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from demo.answers import Answer, missing_answer
from demo.faults import Rewritten


@dataclass(frozen=True)
class Missing:
    """The job lists the file, and the file is not there."""

    def spoil(self, answer: Answer) -> Answer:
        return missing_answer("file of this name")


@dataclass(frozen=True)
class CutList:
    """The first entries of a list, marked as Gladly marks a list that it did not send whole."""

    keep: int

    def spoil(self, answer: Answer) -> Answer:
        entries = json.loads(answer.whole_body())[: self.keep]
        # The header's value is documented nowhere.
        return replace(
            answer, body=json.dumps(entries).encode(), headers={**answer.headers, "Gladly-Limited-Data": "true"}
        )


@dataclass(frozen=True)
class DamagedLine:
    """Line `number` (from 1) loses its second half; its line break stays."""

    number: int = 2

    def spoil(self, answer: Answer) -> Answer:
        return Rewritten(_of_line(self.number, lambda line: line[: len(line) // 2])).spoil(answer)


@dataclass(frozen=True)
class AmbiguousPayload:
    """Line `number` gets `keys` besides its own, in the object `within` it; any two of them make one column's name."""

    keys: Mapping[str, Any] = field(default_factory=lambda: {"hotelCode": "ASP", "hotel_code": "LIS"})
    within: str = "content"
    number: int = 1

    def spoil(self, answer: Answer) -> Answer:
        return Rewritten(_of_line(self.number, self._add)).spoil(answer)

    def _add(self, line: bytes) -> bytes:
        entry = json.loads(line)
        (entry[self.within] if self.within else entry).update(self.keys)
        return json.dumps(entry, ensure_ascii=False).encode()


@dataclass(frozen=True)
class MoreLines:
    """The good file and these objects after its last line: an unknown type, the same id again, whatever is needed."""

    entries: tuple[Mapping[str, Any], ...]

    def spoil(self, answer: Answer) -> Answer:
        lines = b"".join(json.dumps(entry).encode() + b"\n" for entry in self.entries)
        return Rewritten(lambda body: body + lines).spoil(answer)


def _of_line(number: int, change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    def rewrite(body: bytes) -> bytes:
        lines = body.splitlines()
        if number > len(lines):
            raise ValueError(f"the file has {len(lines)} lines, so none is number {number}")
        lines[number - 1] = change(lines[number - 1])
        return b"".join(line + b"\n" for line in lines)

    return rewrite


MISSING = Missing()
BLANK_LINES_BETWEEN = Rewritten(lambda body: body.replace(b"\n", b"\n\n", 3) + b"  \r\n\n")
NO_LAST_LINE_BREAK = Rewritten(lambda body: body.removesuffix(b"\n"))

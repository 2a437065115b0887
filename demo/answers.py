"""What the sandbox answers, before it becomes bytes on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from demo.report_request import RefusedError

_PIECE_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Answer:
    """One answer. A body in pieces is sent in chunks unless its `size` in bytes is known beforehand."""

    status: int
    body: bytes | Iterable[bytes] = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    size: int | None = None
    # The rest is for faults: seconds before the first byte, and bytes after which the connection is closed.
    delay: float = 0
    cut_after: int | None = None

    def whole_body(self) -> bytes:
        """The body in one piece; a body in pieces can be read once."""
        return self.body if isinstance(self.body, bytes) else b"".join(self.body)


def csv_answer(body: bytes | Iterable[bytes], *, file_name: str, size: int | None = None) -> Answer:
    """A finished report, as Gladly sends it: no charset is named."""
    headers = {"Content-Type": "text/csv", "Content-Disposition": f"attachment; filename={file_name}"}
    return Answer(200, body, headers, size)


def file_answer(path: Path, *, file_name: str) -> Answer:
    """A report that lies in a file, sent as it lies."""
    return csv_answer(_read_pieces(path), file_name=file_name, size=path.stat().st_size)


def json_answer(value: Any, *, status: int = 200) -> Answer:
    """A JSON document."""
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json"})


def lines_answer(body: Iterable[bytes]) -> Answer:
    """A file of JSON lines."""
    return Answer(200, body, {"Content-Type": "application/x-ndjson"})


def missing_answer(what: str) -> Answer:
    """404, in the shape of any other error."""
    return refusal_answer(RefusedError("", "not_exist", f"no {what} here"), status=404)


def refusal_answer(error: RefusedError, *, status: int = 400) -> Answer:
    """An error in the shape that Gladly documents; `attr` is left out where no field is to blame."""
    blamed = {"attr": error.attr} if error.attr else {}
    return json_answer({"errors": [{**blamed, "code": error.code, "detail": error.detail}]}, status=status)


def limit_answer(retry_after: int | None) -> Answer:
    """Too many requests; Gladly's own text does not promise the header Retry-After."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Answer(429, b"Too Many Requests", {"Content-Type": "text/plain", **headers})


def _read_pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece

"""Remembers what objects came, and compares them with what the tables give back."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import zip_longest
from typing import IO, Any

import pyarrow as pa

from loaders.nested.collector import paused_collector
from loaders.nested.errors import RebuildError
from loaders.nested.json_text import write_json
from loaders.nested.package import NOT_EVALUATED, PASSED, StoredTable, Verdict
from loaders.nested.reconstruction import rebuild_records

_ENTRY = struct.Struct("<q16s16s")
# Of a sample, each 64th object at first, and half as many whenever so many have been taken: however long the source,
# what is rebuilt stays small.
_STRIDE = 64
_TAKEN = 1024
# Objects that showed something new are compared too; this bounds a source where each of them does.
_MOST_LESSONS = 1000


class Witness:
    """Number, id and digest of every object (`all`), or of a sample with all that showed something new."""

    def __init__(self, mode: str, file: IO[bytes] | None = None) -> None:
        self._mode = mode
        self._file = file or io.BytesIO()
        self._seen = 0
        self._taken = 0
        self._lessons = 0

    def look(self, number: int, root_id: str, value: Any, is_lesson: bool) -> None:
        """Remember an object, where it is one to compare."""
        is_wanted = self._is_wanted(is_lesson)
        self._seen += 1
        if is_wanted:
            self._file.write(_ENTRY.pack(number, bytes.fromhex(root_id), _digest(value)))

    def _is_wanted(self, is_lesson: bool) -> bool:
        if self._mode != "sample":
            return self._mode == "all"
        if self._seen % (_STRIDE << self._taken // _TAKEN) == 0:
            self._taken += 1
            return True
        if is_lesson and self._lessons < _MOST_LESSONS:
            self._lessons += 1
            return True
        return False

    def compare(self, tables: Iterable[StoredTable]) -> Verdict:
        """Rebuild the remembered objects; RebuildError for the first that is not what it was."""
        if self._mode == "none":
            return Verdict("rebuild", NOT_EVALUATED, detail="verify is none")
        roots = None if self._mode == "all" else pa.array([root.hex() for _, root, _ in self.entries()], pa.string())
        expected = ((number, digest) for number, _, digest in self.entries())
        rebuilt = ((number, _digest(value)) for number, value in rebuild_records(tables, roots=roots))
        count = 0
        with paused_collector():
            for one, other in zip_longest(expected, rebuilt):
                if one != other:
                    number = min(record[0] for record in (one, other) if record)
                    raise RebuildError(
                        f"record {number} does not come back from the tables as it was; report this with it"
                    )
                count += 1
        return Verdict("rebuild", PASSED, count=count, detail=f"{count} of {self._seen} objects rebuilt and compared")

    def entries(self) -> Iterator[tuple[int, bytes, bytes]]:
        """What was remembered: number, row id and digest."""
        self._file.seek(0)
        while block := self._file.read(_ENTRY.size * 4096):
            yield from _ENTRY.iter_unpack(block)


def _digest(value: Any) -> bytes:
    try:
        return blake2b(write_json(value, sort_keys=True), digest_size=16).digest()
    except ValueError:
        # The columns refuse it with its path; should they not, nothing that is rebuilt has this digest.
        return bytes(16)

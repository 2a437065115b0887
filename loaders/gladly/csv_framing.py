"""The framing of a CSV body: whether its text and its quoting are whole, and where its records end.

pyarrow accepts a body cut inside quotes and a stray quote in silence, and skips blank lines, so the whole body is
looked through before it is parsed. The grammar is RFC 4180, held strictly: a quote stands at the start of a field, at
its end, or twice inside a quoted one; a record ends with LF or CRLF outside quotes. Then every other quote, counted
from the first, opens, and a line end behind an even number of quotes ends a record: both are plain array work.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from loaders.errors import SourceError

BOM = codecs.BOM_UTF8
LF, CR, QUOTE = b'\n\r"'
# Far above any cell of a report; a body without line ends must not become one record in memory.
LONGEST_RECORD = 64 << 20
SHOWN_LINES = 10

Positions = npt.NDArray[np.intp]
Window = npt.NDArray[np.uint8]


def _bytes_in(characters: bytes) -> npt.NDArray[np.bool_]:
    table = np.zeros(256, dtype=np.bool_)
    table[list(characters)] = True
    return table


# What may stand before an opening and behind a closing quote. A quote beside a quote is one of a doubled pair.
# A carriage return behind a closing quote is checked on its own.
_BEFORE_OPENING = _bytes_in(b',\n"')
_BEHIND_CLOSING = _bytes_in(b',\n\r"')


@dataclass(frozen=True)
class Framing:
    """Where the parts of a body stand, in bytes from its start."""

    start: int  # the header's first byte, behind byte order marks and blank lines
    records_at: int  # the first byte behind the header's line end
    record_count: int  # without the header and without blank lines
    longest: int  # bytes of the longest record with its line end
    blank_at: int | None  # the first blank line behind the header, None without any


def frame(body: BinaryIO, *, subject: str, block_bytes: int) -> Framing | None:
    """The framing of the whole body, None when it holds nothing but line breaks.

    SourceError for U+0000, text that is not UTF-8, a broken quote, a body that ends inside quotes, a carriage return
    without a line feed outside quotes, and a blank line between records.
    """
    start = _start(body)
    if start is None:
        return None
    scan = _Scan(body, subject, start)
    body.seek(start)
    last = b"\n"
    while block := body.read(block_bytes):
        scan.take(last + block)
        last = block[-1:]
    if last == b"\r":
        raise scan.refusal("ends in a carriage return without a line feed", scan.offset)
    if last != b"\n":  # the last record ends with the body
        scan.take(last + b"\n")
    return scan.framing()


@dataclass
class _Scan:
    """What one pass over a body carries from block to block."""

    body: BinaryIO
    subject: str
    start: int
    offset: int = field(init=False)  # of the window's first byte, which is the last one of the window before
    inside: int = 0  # 1 when that byte stands behind an odd number of quotes, itself not counted
    record_start: int = field(init=False)
    record_count: int = -1  # the header is none
    records_at: int = 0
    longest: int = 0
    blank_at: int | None = None
    decoder: codecs.IncrementalDecoder = field(default_factory=codecs.getincrementaldecoder("utf-8"))

    def __post_init__(self) -> None:
        self.offset = self.start - 1
        self.record_start = self.start

    def take(self, window: bytes) -> None:
        """Look through the next block; `window` is the byte before it and the block.

        With that one byte of overlap every pair of neighbours is seen once, also across a border.
        """
        self._check_text(window)
        characters = np.frombuffer(window, dtype=np.uint8)
        quotes = np.flatnonzero(characters == QUOTE)
        self._check_quotes(characters, quotes)
        self._check_returns(window, characters, quotes)
        line_ends = np.flatnonzero(characters[1:] == LF) + 1
        self._count(characters, self._outside(line_ends, quotes))
        self.offset += len(window) - 1
        self.inside = (self.inside + len(quotes) - (window[-1] == QUOTE)) % 2
        if self.offset - self.record_start > LONGEST_RECORD:
            raise self.refusal(f"begins a record of more than {LONGEST_RECORD >> 20} MiB", self.record_start)

    def framing(self) -> Framing:
        """What was found; SourceError when the body ended inside quotes."""
        if self.record_start <= self.offset:
            raise self.refusal(
                "begins a record that the end of the body cuts inside quotes; ask for the report again",
                self.record_start,
            )
        return Framing(self.start, self.records_at, self.record_count, self.longest, self.blank_at)

    def refusal(self, problem: str, offset: int) -> SourceError:
        """An error that names the line; near the start it shows the body too, which may be no CSV at all."""
        line = line_at(self.body, offset)
        shown = f"; the body starts {body_start(self.body)!r}" if line <= SHOWN_LINES else ""
        return SourceError(f"{self.subject}: line {line} {problem}{shown}")

    def _check_text(self, window: bytes) -> None:
        zero = window.find(b"\0")
        if zero >= 0:
            raise self.refusal("holds U+0000, which no warehouse keeps", self.offset + zero)
        pending = len(self.decoder.getstate()[0])
        try:
            self.decoder.decode(window[1:])
        except UnicodeDecodeError as error:
            bad = self.offset + 1 - pending + error.start
            raise self.refusal("is not UTF-8", bad) from error

    def _check_quotes(self, characters: Window, quotes: Positions) -> None:
        opening, closing = quotes[self.inside :: 2], quotes[1 - self.inside :: 2]
        # The window's edges are checked with their other neighbour, in the window before and the next one.
        opening = opening[opening > 0]
        closing = closing[closing < len(characters) - 1]
        strays = np.concatenate(
            (
                opening[~_BEFORE_OPENING[characters[opening - 1]]],
                closing[~_BEHIND_CLOSING[characters[closing + 1]]],
            )
        )
        if strays.size:
            raise self.refusal(
                "has a stray quote: one must stand at an edge of its field or be doubled inside quotes",
                self.offset + int(strays.min()),
            )

    def _check_returns(self, window: bytes, characters: Window, quotes: Positions) -> None:
        """Refuse CR without LF outside quotes: a line end to some readers and text to others."""
        if b"\r" not in window:
            return
        returns = np.flatnonzero(characters[:-1] == CR)
        bare = self._outside(returns[characters[returns + 1] != LF], quotes)
        if bare.size:
            raise self.refusal("has a carriage return without a line feed, outside quotes", self.offset + int(bare[0]))

    def _outside(self, positions: Positions, quotes: Positions) -> Positions:
        behind_even: npt.NDArray[np.bool_] = (self.inside + np.searchsorted(quotes, positions)) % 2 == 0
        return positions[behind_even]

    def _count(self, characters: Window, ends: Positions) -> None:
        if not ends.size:
            return
        starts = np.concatenate(([self.record_start - self.offset], ends[:-1] + 1))
        lengths = ends - starts
        blank = (lengths == 0) | ((lengths == 1) & (characters[ends - 1] == CR))
        if self.blank_at is None and blank.any():
            self.blank_at = self.offset + int(starts[blank][0])
        filled = starts[~blank]
        if self.blank_at is not None and filled.size and self.offset + filled[-1] > self.blank_at:
            raise self.refusal("is blank, with records behind it: a record may be lost here", self.blank_at)
        if self.records_at == 0:
            self.records_at = self.offset + int(ends[0]) + 1
        self.record_count += filled.size
        self.longest = max(self.longest, int(lengths.max()) + 1)
        self.record_start = self.offset + int(ends[-1]) + 1


def ragged_records(body: BinaryIO, start: int, field_count: int) -> Iterator[tuple[int, int]]:
    """First line and number of fields of every record that has not `field_count` of them.

    Reads line by line, for the error message only: pyarrow knows no line numbers. Needs a body that `frame` accepts.
    """
    for line, record in _records(body, start):
        unquoted = record.split(b'"')[::2]
        found = 1 + sum(part.count(b",") for part in unquoted)
        if found != field_count and record.strip(b"\r\n"):
            yield line, found


def body_start(body: BinaryIO) -> str:
    """The first characters of a body, for an error message."""
    body.seek(0)
    return body.read(4096).decode("utf-8", errors="replace").lstrip("\ufeff").strip()[:80]


def line_at(body: BinaryIO, offset: int) -> int:
    """The number of the line that the byte at `offset` stands on, counted from 1 by line feeds."""
    body.seek(0)
    line = 1
    while offset > 0 and (block := body.read(min(offset, 1 << 20))):
        line += block.count(b"\n")
        offset -= len(block)
    return line


def _start(body: BinaryIO) -> int | None:
    """Where the header starts, behind byte order marks and blank lines; None when there is nothing else."""
    offset = 0
    body.seek(0)
    while head := body.read(4096):
        skipped = len(BOM) if head.startswith(BOM) else len(head) - len(head.lstrip(b"\r\n"))
        if not skipped:
            return offset
        offset += skipped
        body.seek(offset)
    return None


def _records(body: BinaryIO, start: int) -> Iterator[tuple[int, bytes]]:
    line = first_line = line_at(body, start)
    body.seek(start)
    lines: list[bytes] = []
    quotes = 0
    for text in body:
        line += 1
        lines.append(text)
        quotes += text.count(b'"')
        if quotes % 2 == 0:
            yield first_line, b"".join(lines)
            first_line = line
            lines.clear()

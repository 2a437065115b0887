"""A CSV body in blocks that pyarrow reads without harm."""

from __future__ import annotations

from typing import BinaryIO


class CsvBlocks:
    """A binary file for `pyarrow.csv`, from which two faults of pyarrow 26 are kept away.

    A block that ends in a carriage return costs the next one its line feed, also inside quotes: no block does. A NULL
    at the very end of a body, as in `"",`, is read as quoted when the value before it is: `line_end` is put behind a
    body that may end without one.
    """

    closed = False

    def __init__(self, body: BinaryIO, *, line_end: bytes = b"") -> None:
        self._body = body
        self._held = b""
        self._end = line_end

    def read(self, size: int) -> bytes:
        """`size` bytes or one less, but at the end: so a record may be known to reach over one border only."""
        block = self._held + self._body.read(size - len(self._held))
        self._held = b""
        while len(block) < size and (more := self._body.read(size - len(block))):
            block += more
        if len(block) < size:
            block, self._end = block + self._end, b""
        elif block.endswith(b"\r"):
            block, self._held = block[:-1], b"\r"
        return block

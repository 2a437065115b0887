"""Objects from JSON lines, each with the number of its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from loaders.nested.errors import RefusedError
from loaders.nested.json_text import parse_line


class Record(NamedTuple):
    """One object of the input; `number` is unique and grows, `size` is its bytes where they are known."""

    number: int
    value: Any
    size: int = 0


class JsonLines:
    """The objects of lines that come with their numbers; read once. Blank lines are counted and left out.

    RefusedError names the line that is damaged, or holds what cannot be kept: NaN, a key twice in one object, a lone
    surrogate, U+0000.
    """

    def __init__(self, lines: Iterable[tuple[int, bytes | str]], *, name: str) -> None:
        self.name = name
        self.blank_count = 0
        self._lines = lines

    @classmethod
    def of_stream(cls, stream: Iterable[bytes], *, name: str) -> JsonLines:
        """The lines of an open binary file; it stays the caller's to close."""
        return cls(enumerate(stream, 1), name=name)

    @classmethod
    def of_file(cls, path: Path) -> JsonLines:
        """The lines of a file."""
        return cls(_numbered_lines(path), name=path.name)

    def __iter__(self) -> Iterator[Any]:
        return (record.value for record in self.records())

    def records(self) -> Iterator[Record]:
        """Every object with the number of its line."""
        for number, line in self._lines:
            text = self._text(number, line)
            if not text:
                self.blank_count += 1
                continue
            try:
                value = parse_line(text)
            except ValueError as error:
                raise RefusedError(str(error), where=self.where(number)) from None
            yield Record(number, value, len(text))

    def _text(self, number: int, line: bytes | str) -> bytes:
        try:
            return (line.encode() if isinstance(line, str) else line).strip(b" \t\r\n")
        except UnicodeEncodeError:
            raise RefusedError("holds a lone surrogate", where=self.where(number)) from None

    def where(self, number: int) -> str:
        return f"{self.name} line {number}"


class Objects:
    """Plain objects, numbered from 1 as they come."""

    blank_count = 0

    def __init__(self, objects: Iterable[Mapping[str, Any]]) -> None:
        self._objects = objects

    def records(self) -> Iterator[Record]:
        return (Record(number, value, _size(value)) for number, value in enumerate(self._objects, 1))

    def where(self, number: int) -> str:
        return f"record {number}"


def as_input(objects: Iterable[Mapping[str, Any]] | JsonLines) -> JsonLines | Objects:
    """Any input as numbered records."""
    return objects if isinstance(objects, JsonLines) else Objects(objects)


def _size(value: Any) -> int:
    """About the bytes of an object; what is wrong with it is found later."""
    try:
        return len(orjson.dumps(value, default=str))
    except orjson.JSONEncodeError:
        return 0


def _numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        yield from enumerate(file, 1)

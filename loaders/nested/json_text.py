"""JSON text to objects and back with nothing lost: every character of a number, every key of an object."""

from __future__ import annotations

import codecs
import json
import re
from decimal import Decimal
from typing import Any

import orjson

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
# An escaped U+0000, and not a backslash that is followed by the letters u0000.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
# No integer of 64 bits is longer.
_LONGEST_INTEGER = 20


class Number:
    """A JSON number that neither an int of 64 bits nor a float keeps to the character, such as 1.50 or 1e5."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        if not _NUMBER.fullmatch(text):
            raise ValueError(f"{text!r} is not a JSON number")
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and other.text == self.text

    def __hash__(self) -> int:
        return hash((Number, self.text))

    def __repr__(self) -> str:
        return f"Number({self.text!r})"


def parse_number(text: str) -> int | float | Number:
    """The number as an int or float where that gives back the very same text, else as a Number."""
    if text.lstrip("-").isdigit():
        if len(text) <= _LONGEST_INTEGER:
            whole = int(text)
            if -(2**63) <= whole < 2**64 and str(whole) == text:
                return whole
        return Number(text)
    value = float(text)
    return value if float_text(value) == text else Number(text)


def float_text(value: float) -> str:
    """A float as JSON writes it; 'null' for what is no JSON number."""
    return orjson.dumps(value).decode()


def parse_line(line: bytes) -> Any:
    """The value of one line of JSON; ValueError says what cannot be kept.

    orjson is fast, but takes the last of duplicate keys and rounds numbers. Where writing its value again gives the
    same bytes, nothing was lost; any other line is read by the parser that shows every key and number.
    """
    try:
        value = orjson.loads(line)
        written = orjson.dumps(value)
        is_exact = written == line or _squeezed(written) == _squeezed(line)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        is_exact = False
    if not is_exact:
        value, written = _parse_exactly(line)
    refuse_nul(written)
    return value


def _squeezed(line: bytes) -> bytes:
    """Both spellings of separators made one. Texts lose blanks too, but equally on both sides of the comparison."""
    return line.replace(b", ", b",").replace(b": ", b":")


def _parse_exactly(line: bytes) -> tuple[Any, bytes]:
    if line.startswith(codecs.BOM_UTF8):
        raise ValueError("starts with a byte order mark; save the file without one")
    try:
        value = _DECODER.decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8: byte {error.start + 1} is 0x{line[error.start]:02x}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError("is nested too deeply to be read") from None
    return value, write_json(value)


def refuse_nul(written: bytes) -> None:
    """ValueError for JSON with a text that holds U+0000."""
    if b"\\u0000" in written and _NUL.search(written):
        raise ValueError("a text holds U+0000, which no warehouse keeps")


def write_json(value: Any, *, sort_keys: bool = False) -> bytes:
    """Compact JSON with every number as it came; ValueError for what is none. Types JSON lacks are marked as such."""
    option = orjson.OPT_PASSTHROUGH_DATETIME | (orjson.OPT_SORT_KEYS if sort_keys else 0)
    try:
        return orjson.dumps(value, default=_as_json, option=option)
    except orjson.JSONEncodeError:
        pass
    try:
        return orjson.dumps(_with_large_integers(value), default=_as_json, option=option)
    except (orjson.JSONEncodeError, RecursionError) as error:
        problem = "a text holds a lone surrogate" if "surrogates" in str(error) else error
        raise ValueError(f"cannot be kept: {problem}") from None


def _as_json(value: Any) -> Any:
    if isinstance(value, Number):
        return orjson.Fragment(value.text)
    text = value.hex() if isinstance(value, bytes) else value.isoformat() if hasattr(value, "isoformat") else str(value)
    if isinstance(value, (Decimal, bytes)) or hasattr(value, "isoformat"):
        # No key of an object that was let in holds U+0000, so this is no object's look-alike.
        return {f"\0{type(value).__name__}": text}
    raise TypeError(f"type {type(value).__name__} is no JSON")


def _with_large_integers(value: Any) -> Any:
    """A copy in which integers that orjson refuses are Numbers."""
    if isinstance(value, dict):
        return {key: _with_large_integers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_large_integers(item) for item in value]
    if type(value) is int and not -(2**63) <= value < 2**64:
        return Number(str(value))
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys: dict[str, Any] = {}
    for key, value in pairs:
        if key in keys:
            raise ValueError(f"key {key!r} stands twice in one object")
        keys[key] = value
    return keys


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=parse_number, parse_int=parse_number, parse_constant=_refuse_constant
)

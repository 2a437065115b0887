"""The types of single values: how each becomes text, and which word in `json_kinds` brings it back.

A text needs no word. `number`, `boolean`, `null`, `list` and `object` (both empty) and `json` (a value kept whole) are
what JSON has; the others may come from Python.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timezone
from decimal import Decimal
from typing import Any, NamedTuple

import orjson

from loaders.nested.json_text import Number, parse_line, parse_number, refuse_nul, write_json


class Scalar(NamedTuple):
    """One type of value. `label` tells people and TSV more than `kind`, the word in json_kinds, has to.

    `texts` turns a column of such values into text, None for all NULL; ValueError for one that cannot be kept.
    """

    label: str
    kind: str
    texts: Callable[[Sequence[Any]], Sequence[str] | None]


def _float_texts(values: Sequence[float]) -> list[str]:
    texts = orjson.dumps(values).decode()[1:-1].split(",")
    if "null" in texts:
        raise ValueError("NaN and Infinity are no JSON numbers")
    return texts


def _decimal_texts(values: Sequence[Decimal]) -> list[str]:
    if not all(value.is_finite() for value in values):
        raise ValueError("NaN and Infinity are no numbers")
    return [str(value) for value in values]


def _moment_texts(values: Sequence[datetime | time]) -> list[str]:
    for value in values:
        if value.fold or not (value.tzinfo is None or type(value.tzinfo) is timezone):
            raise ValueError("a moment keeps no time zone's name; give it in UTC or with a fixed offset")
    return [value.isoformat() for value in values]


def _kept_texts(values: Sequence[Any]) -> list[str]:
    texts = []
    for value in values:
        _check_kept(value)
        written = write_json(value)
        refuse_nul(written)
        texts.append(written.decode())
    return texts


def _check_kept(value: Any) -> None:
    """Refuse what JSON text would change in silence."""
    kind = type(value)
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise ValueError(f"has a key of type {type(key).__name__}; give it as text")
            _check_kept(item)
    elif kind is list:
        for item in value:
            _check_kept(item)
    elif kind is float:
        _float_texts([value])
    elif kind not in (str, int, bool, Number, type(None)):
        raise ValueError(f"holds a {kind.__name__} inside a value that is kept as JSON; give it as text")


TEXT = Scalar("text", "", lambda values: values)
EMPTY_LIST = Scalar("list", "list", lambda values: ["[]"] * len(values))
EMPTY_OBJECT = Scalar("object", "object", lambda values: ["{}"] * len(values))
KEPT = Scalar("json", "json", _kept_texts)

SCALARS: dict[type, Scalar] = {
    str: TEXT,
    int: Scalar("integer", "number", lambda values: list(map(str, values))),
    float: Scalar("number", "number", _float_texts),
    Number: Scalar("number", "number", lambda values: [value.text for value in values]),
    bool: Scalar("boolean", "boolean", lambda values: ["true" if value else "false" for value in values]),
    type(None): Scalar("null", "null", lambda _values: None),
    Decimal: Scalar("decimal", "decimal", _decimal_texts),
    bytes: Scalar("bytes", "bytes", lambda values: [value.hex() for value in values]),
    date: Scalar("date", "date", lambda values: [value.isoformat() for value in values]),
    datetime: Scalar("datetime", "datetime", _moment_texts),
    time: Scalar("time", "time", _moment_texts),
}


def scalar_of(value: Any) -> Scalar:
    """The type of a value that is no row of its own: a single value, or a list or mapping that is empty or kept."""
    kind = type(value)
    if kind is dict or kind is list:
        return KEPT if value else EMPTY_OBJECT if kind is dict else EMPTY_LIST
    return SCALARS[kind]


PARSERS: dict[str, Callable[[str], Any]] = {
    "number": parse_number,
    "boolean": lambda text: {"true": True, "false": False}[text],
    "null": lambda _text: None,
    "list": json.loads,
    "object": json.loads,
    "json": lambda text: parse_line(text.encode()),
    "decimal": Decimal,
    "bytes": bytes.fromhex,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}

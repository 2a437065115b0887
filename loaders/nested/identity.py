"""Row ids: 32 hex digits that depend on what a row is, never on the process, the machine or the time.

A root is its table's name and its key, or its number in the source where it has no key. A child is its path, its
parent's id and its place in the list, so that another order of the list gives other ids; with a child key it is its
path, its parent's id and the key. Parts of a key keep their type: 1, "1", 1.0 and true are four keys.

Version 1. A change here changes the key of every child row in every warehouse.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from hashlib import blake2b
from typing import Any

from loaders.nested.json_text import Number, float_text

_TAGS: dict[type, str] = {
    str: "s",
    bool: "b",
    type(None): "z",
    bytes: "x",
    date: "d",
    datetime: "m",
    time: "t",
    Decimal: "c",
}
_NESTED: dict[type, tuple[str, str]] = {list: ("[", "]"), tuple: ("(", ")")}


def id_prefix(name: str) -> str:
    """What starts the identity of every row of one table: its name for the root, its path for a child."""
    return f"1|{len(name)}:{name}|"


def place_id(prefix: str, parent: str, index: int | None) -> str:
    """The id of a child by its place: its position in the list, or None for a mapping."""
    return blake2b(f"{prefix}{parent}#{index}".encode(), digest_size=16).hexdigest()


def key_id(prefix: str, parent: str, parts: Sequence[Any]) -> str:
    """The id of a row by its key; `parent` is '' for a root."""
    return blake2b(f"{prefix}{parent}={encode(list(parts))}".encode(), digest_size=16).hexdigest()


def encode(value: Any) -> str:
    """A value as text that no other value has, whatever its type; TypeError where the type has no fixed text."""
    kind = type(value)
    if kind in _NESTED:
        start, end = _NESTED[kind]
        return f"{start}{''.join(map(encode, value))}{end}"
    tag, text = _tagged(value)
    return f"{tag}{len(text)}:{text}"


def _tagged(value: Any) -> tuple[str, str]:
    kind = type(value)
    if kind is int:
        return "i", str(value)
    if kind is float:
        return "f", float_text(value)
    if kind is Number:
        # As an int or float of the same text would be: how a number was read is not part of its identity.
        return "i" if value.text.lstrip("-").isdigit() else "f", value.text
    if kind not in _TAGS:
        raise TypeError(f"type {kind.__name__} has no identity")
    if kind is bytes:
        return _TAGS[kind], value.hex()
    return _TAGS[kind], value.isoformat() if hasattr(value, "isoformat") else str(value)

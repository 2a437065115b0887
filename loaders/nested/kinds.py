"""The text in `json_kinds`: which fields of a row are no plain text, and what they are instead.

`boolean=spam;null=closedat,note;number=priority`: words and names in ascending order, so that one row has one
spelling. A field that is not named is a text, or missing where it is NULL. A row of nothing but texts has NULL.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from loaders.nested.scalar import PARSERS


def kinds_text(kinds: Mapping[str, str]) -> str | None:
    """The text for a row's columns and their kinds; the kind '' is a text."""
    columns: dict[str, list[str]] = {}
    for column, kind in kinds.items():
        if kind:
            columns.setdefault(kind, []).append(column)
    return ";".join(f"{kind}={','.join(sorted(columns[kind]))}" for kind in sorted(columns)) or None


@lru_cache(maxsize=4096)
def parse_kinds(text: str) -> tuple[tuple[str, str], ...]:
    """The columns that `text` names, each with its kind; ValueError for what `kinds_text` did not write."""
    kinds = {}
    for part in text.split(";"):
        kind, _, columns = part.partition("=")
        kinds.update(dict.fromkeys(columns.split(","), kind))
    if kinds_text(kinds) != text or not PARSERS.keys() >= set(kinds.values()):
        raise ValueError(f"{text!r} is no text of json_kinds")
    return tuple(kinds.items())

"""A JSON list of flat objects, such as Gladly's agents, as text columns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import pyarrow as pa

from loaders.errors import SourceError
from loaders.names import column_names

# Of a value that is wrong, what an error shows.
_SHOWN_CHARACTERS = 80


@dataclass(frozen=True)
class JsonList:
    """The records of a whole list; `columns` holds each column's name and the source's own key, as first seen."""

    columns: Mapping[str, str]
    records: Sequence[Mapping[str, str | None]]

    def batch(self) -> pa.RecordBatch:
        """All records, text as it came; an absent key is NULL, as null is."""
        arrays = {
            name: pa.array([record.get(key) for record in self.records], pa.string())
            for name, key in self.columns.items()
        }
        return pa.record_batch(arrays)


def read_list(body: BinaryIO, *, subject: str, columns: Mapping[str, str], required: Sequence[str]) -> JsonList:
    """Read a whole list; SourceError, beginning with `subject`, for anything else.

    Text stays as it is, true and false become those words, numbers keep every digit, and a value that is a list or an
    object stays JSON. `columns` names keys explicitly; `required` are column names that must be there.
    """
    try:
        found = json.loads(
            body.read(), parse_int=_Number, parse_float=_Number, parse_constant=_refuse, object_pairs_hook=_unique
        )
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{subject}: not JSON: {error}; ask again") from error
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise SourceError(f"{subject}: not a list of objects but {json.dumps(found)[:_SHOWN_CHARACTERS]}; ask again")
    keys = dict.fromkeys(key for record in found for key in record)
    names = column_names(keys, columns)
    missing = [name for name in required if found and name not in names.values()]
    if missing:
        raise SourceError(f"{subject}: no column {', '.join(missing)}; there are {', '.join(names.values())}")
    records = [{key: _text(value, subject) for key, value in record.items()} for record in found]
    return JsonList({name: key for key, name in names.items()}, records)


def parse_json(body: BinaryIO, *, subject: str) -> Any:
    """Read JSON, every number as it was written; SourceError for a key twice in an object, NaN, and what is none."""
    try:
        return _DECODER.decode(body.read().decode())
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{subject}: not JSON: {error}; ask again") from error


class _Number(str):
    """A number as it was written."""


def _text(value: Any, subject: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value if isinstance(value, str) else _json(value)
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise SourceError(f"{subject}: {text[:_SHOWN_CHARACTERS]!r} holds a character that no warehouse can keep")
    return str(text)


def _json(value: Any) -> str:
    """A nested value as JSON again, its numbers as they were written."""
    if isinstance(value, _Number):
        return value
    if isinstance(value, dict):
        return f"{{{','.join(f'{_json(key)}:{_json(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_json, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"one key twice in an object: {', '.join(key for key, _ in pairs)}")
    return found


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no JSON number")


_DECODER = json.JSONDecoder(parse_int=_Number, parse_float=_Number, parse_constant=_refuse, object_pairs_hook=_unique)

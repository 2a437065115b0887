"""The rows of one table and chunk as columns of text."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from loaders.names import RECORD_NUMBER
from loaders.nested.errors import RefusedError
from loaders.nested.naming import JSON_KINDS, LIST_INDEX, PARENT_ROW_ID, ROOT_ROW_ID, ROW_ID
from loaders.nested.table import ROW_WIDTH, Field, Slot, Table

Places = npt.NDArray[np.int64]
# More shapes than this are not worth remembering from chunk to chunk.
_MANY_SHAPES = 2000


class FaultError(Exception):
    """A value of a chunk that cannot be kept; `root` counts the chunk's objects."""

    def __init__(self, root: int, error: RefusedError) -> None:
        super().__init__(root, error)
        self.root = root
        self.error = error


def take_rows(table: Table, root_ids: pa.Array, numbers: pa.Array) -> pa.Table:
    """Take the rows of a chunk out of `table`; `root_ids` and `numbers` are those of the chunk's objects.

    FaultError where a value cannot be kept as text.
    """
    rows = table.rows
    roots = np.array(rows[3::ROW_WIDTH], dtype=np.int64)
    buckets = np.array(rows[4::ROW_WIDTH], dtype=np.int64)
    # The rows bucket by bucket; within one they stand in their order.
    places = np.split(np.argsort(buckets, kind="stable"), np.bincount(buckets).cumsum())
    columns = {ROW_ID: pa.array(rows[0::ROW_WIDTH], pa.string())}
    if table.parent:
        columns[PARENT_ROW_ID] = pa.array(rows[1::ROW_WIDTH], pa.string())
        columns[ROOT_ROW_ID] = root_ids.take(pa.array(roots))
        columns[LIST_INDEX] = pa.array(rows[2::ROW_WIDTH], pa.int64()).cast(pa.string())
    columns |= dict.fromkeys(table.columns)
    columns |= _value_columns(table, places, roots)
    columns[JSON_KINDS] = pa.array([bucket.kinds for bucket in table.buckets], pa.string()).take(pa.array(buckets))
    columns[RECORD_NUMBER] = _record_numbers(table, numbers, roots)
    count_rows(table)
    nulls = pa.nulls(len(roots), pa.string())
    return pa.table({name: nulls if one is None else one for name, one in columns.items()})


def _record_numbers(table: Table, numbers: pa.Array, roots: Places) -> pa.Array:
    """A root has the number of its object; a child its own in its table, since the number tells rows apart."""
    if table.parent is None:
        return numbers
    return pa.array(np.arange(table.row_count + 1, table.row_count + 1 + len(roots)))


def count_rows(table: Table) -> None:
    """Count the rows of a chunk, and drop them."""
    table.row_count += len(table.rows) // ROW_WIDTH
    table.rows.clear()
    for bucket in table.buckets:
        for slot, scalar in bucket.fields:
            slot.labels[scalar.label] += len(bucket.values)
        bucket.values.clear()
    if len(table.buckets) > _MANY_SHAPES:
        table.forget_shapes()


def _value_columns(table: Table, places: list[Places], roots: Places) -> dict[str, pa.Array]:
    """The fields' texts in the order of the rows, NULL where a row has none; a field without any text is left out."""
    parts: dict[Slot, list[pa.Array]] = {}
    found: dict[Slot, list[Places]] = {}
    for bucket in table.buckets:
        if not bucket.values:
            continue
        rows = places[bucket.number]
        for field in bucket.fields:
            slot = field.slot
            values = bucket.values if slot.step is None else list(map(itemgetter(slot.step), bucket.values))
            texts = _texts(field, values, roots[rows])
            if texts is not None:
                parts.setdefault(slot, []).append(texts)
                found.setdefault(slot, []).append(rows)
    return {str(slot.column): _in_order(parts[slot], found[slot], len(roots)) for slot in parts}


def _in_order(parts: list[pa.Array], places: list[Places], count: int) -> pa.Array:
    if len(parts) == 1 and len(parts[0]) == count:
        return parts[0]
    source = np.full(count, -1)
    source[np.concatenate(places)] = np.arange(sum(map(len, parts)))
    return pa.concat_arrays(parts).take(pa.array(source, mask=source < 0))


def _texts(field: Field, values: list[Any], roots: Places) -> pa.Array | None:
    try:
        texts = field.scalar.texts(values)
        array = None if texts is None else pa.array(texts, pa.string())
    except ValueError as error:
        raise _first_fault(field, values, roots) from error
    if array is not None and (data := array.buffers()[2]) and data.to_pybytes().find(b"\0") >= 0:
        raise _first_fault(field, values, roots)
    return array


def _first_fault(field: Field, values: list[Any], roots: Places) -> FaultError:
    """What is wrong with the first value that cannot be text."""
    problems = ((root, _fault(field, value)) for value, root in zip(values, roots, strict=True))
    root, problem = next((root, problem) for root, problem in problems if problem)
    return FaultError(int(root), RefusedError(problem, path=field.slot.text))


def _fault(field: Field, value: Any) -> str | None:
    try:
        texts = field.scalar.texts([value])
        text = texts[0] if texts else ""
        text.encode()
    except UnicodeEncodeError:
        return "holds a lone surrogate"
    except ValueError as error:
        return str(error)
    return "holds U+0000, which no warehouse keeps" if "\0" in text else None

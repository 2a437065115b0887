"""Objects walked chunk by chunk, so that memory is bounded by a chunk and the longest object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from loaders.nested.collector import collect_young, paused_collector
from loaders.nested.columns import FaultError, take_rows
from loaders.nested.errors import RefusedError
from loaders.nested.json_lines import JsonLines, Objects
from loaders.nested.table import Table
from loaders.nested.walk import Walk

CHUNK_ROWS = 1 << 15
CHUNK_BYTES = 16 << 20

Store = Callable[[Table, pa.Table], None]
# Sees every object that was walked: its number and row id, itself, and whether something new was learned from it.
Look = Callable[[int, str, Any, bool], None]


def walk_objects(source: JsonLines | Objects, walk: Walk, *, store: Store, look: Look) -> int:
    """Walk every object, give each chunk of each table to `store`, and return the number of objects.

    RefusedError names the record and the path.
    """
    count = size = 0
    with paused_collector():
        for number, value, length in source.records():
            lessons = walk.plan.lessons
            try:
                walk.add(number, value)
            except RefusedError as error:
                raise error.at(source.where(number)) from None
            look(number, walk.root_ids[-1], value, walk.plan.lessons > lessons)
            count += 1
            size += length
            if walk.row_count >= CHUNK_ROWS or size >= CHUNK_BYTES:
                _store_chunk(source, walk, store)
                size = 0
        _store_chunk(source, walk, store)
    return count


def _store_chunk(source: JsonLines | Objects, walk: Walk, store: Store) -> None:
    root_ids, numbers = pa.array(walk.root_ids, pa.string()), pa.array(walk.numbers, pa.int64())
    try:
        for table in walk.tables:
            if table.rows:
                store(table, take_rows(table, root_ids, numbers))
    except FaultError as fault:
        raise fault.error.at(source.where(walk.numbers[fault.root])) from None
    walk.start_chunk()
    # After the objects of the chunk have gone, so that this is cheap.
    collect_young()

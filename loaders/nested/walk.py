"""Objects to rows: one root row an object, a child row for each non-empty mapping and for each element of a list."""

from __future__ import annotations

from typing import Any

from loaders.nested.errors import RefusedError
from loaders.nested.identity import key_id, place_id
from loaders.nested.options import NestedOptions
from loaders.nested.plan import Plan
from loaders.nested.registry import Registry
from loaders.nested.scalar import SCALARS
from loaders.nested.table import ROW_WIDTH, Table

# Elements of a list that have no type of their own in SCALARS.
_INNER_LIST, _KEPT_ELEMENT = "inner list", "kept element"


class Walk:
    """The tables of one root table, filled object by object; `columns.take_rows` empties them chunk by chunk."""

    def __init__(self, options: NestedOptions, registry: Registry, problems: list[RefusedError] | None = None) -> None:
        self.plan = Plan(options, registry, problems)
        self.options = options
        # Of the objects in the current chunk; rows of all tables.
        self.root_ids: list[str] = []
        self.numbers: list[int] = []
        self.row_count = 0

    @property
    def tables(self) -> list[Table]:
        """Every table so far, parents before children."""
        return self.plan.tables

    def start_chunk(self) -> None:
        """Forget the objects of the chunk, after their rows were taken."""
        self.root_ids.clear()
        self.numbers.clear()
        self.row_count = 0

    def add(self, number: int, value: Any) -> None:
        """Add one object; RefusedError says where in it."""
        if type(value) is not dict:
            raise RefusedError(f"is a {type(value).__name__}, expected an object")
        self.root_ids.append(self._mapping(self.plan.root, value, "", number))
        self.numbers.append(number)
        before = self.row_count
        self.row_count = sum([len(table.rows) for table in self.plan.tables]) // ROW_WIDTH
        rows = self.row_count - before
        if rows > self.options.max_rows:
            raise RefusedError(f"makes {rows} rows, max_rows is {self.options.max_rows}")

    def _mapping(self, table: Table, value: dict[str, Any], parent: str, index: int | None) -> str:
        """The row of a mapping, and those below it; returns its id."""
        shape = table.shapes.get((tuple(value), tuple(map(type, value.values()))))
        if shape is None:
            shape = self.plan.learn_shape(table, value)
        row_id = self._row_id(table, value, parent, index) if table.key else place_id(table.prefix, parent, index)
        table.current = value
        empty = 0
        for bit, key, slot, is_mapping in shape.containers:
            inner = value[key]
            if not inner:
                empty |= bit
            elif slot.is_kept or slot.is_refused:
                continue
            elif is_mapping:
                self._mapping(slot.child or self.plan.open_child(table, slot), inner, row_id, None)
            else:
                self._list(slot.child or self.plan.open_child(table, slot), inner, row_id)
        bucket = shape.buckets.get(empty) or self.plan.learn_bucket(table, shape, value, empty)
        bucket.values.append(value)
        table.rows.extend((row_id, parent, index, len(self.root_ids), bucket.number))
        return row_id

    def _list(self, table: Table, values: list[Any], parent: str) -> None:
        """A row for each element of a list."""
        if len(values) > self.options.max_array_length:
            limit = self.options.max_array_length
            raise RefusedError(f"is a list of {len(values)}, max_array_length is {limit}", path=table.text)
        for index, value in enumerate(values):
            kind = type(value)
            if not value or (kind is not dict and kind is not list):
                self._element(table, value, parent, index, kind)
            elif table.element.is_kept:
                self._element(table, value, parent, index, _KEPT_ELEMENT)
            elif kind is dict:
                self._mapping(table, value, parent, index)
            else:
                row_id = self._element(table, value, parent, index, _INNER_LIST)
                self._list(table.element.child or self.plan.open_child(table, table.element), value, row_id)

    def _element(self, table: Table, value: Any, parent: str, index: int, kind: object) -> str:
        """The row of an element that is no mapping; returns its id."""
        bucket = table.elements.get(kind)
        if bucket is None:
            bucket = table.elements[kind] = self.plan.learn_element(table, value, is_row=kind is not _INNER_LIST)
        row_id = self._row_id(table, value, parent, index) if table.key else place_id(table.prefix, parent, index)
        table.current = value
        bucket.values.append(value)
        table.rows.extend((row_id, parent, index, len(self.root_ids), bucket.number))
        return row_id

    def _row_id(self, table: Table, value: Any, parent: str, index: int | None) -> str:
        """The id of a row whose table has a key."""
        parts = []
        for owner, step, text in table.key:
            holder = value if owner is table else owner.current
            part = holder if step is None else holder.get(step) if type(holder) is dict else None
            if part is None or type(part) not in SCALARS:
                problem = "NULL or missing" if part is None else f"a {type(part).__name__}"
                raise RefusedError(f"is {problem}, but part of the key of table {table.name!r}", path=text)
            parts.append(part)
        try:
            return key_id(table.prefix, parent, parts)
        except ValueError as error:
            raise RefusedError(f"has a key that cannot be kept: {error}", path=table.text) from None

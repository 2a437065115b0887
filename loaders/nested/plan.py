"""What is worked out once for each table, field and shape, so that walking a row needs only look-ups."""

from __future__ import annotations

from typing import Any

from loaders.nested.errors import RefusedError
from loaders.nested.naming import generated_column, generated_table
from loaders.nested.options import NestedOptions
from loaders.nested.path import Path, Step, parse_path, path_text
from loaders.nested.registry import Registry
from loaders.nested.scalar import SCALARS, scalar_of
from loaders.nested.table import Bucket, Container, Field, KeyPart, Shape, Slot, Table


class Plan:
    """Tables, names and shapes. A name that cannot be had is raised, or listed where there is a list of `problems`."""

    def __init__(self, options: NestedOptions, registry: Registry, problems: list[RefusedError] | None) -> None:
        self.options = options
        self.registry = registry
        self.problems = problems
        # Grows whenever an object shows something that was not met before.
        self.lessons = 0
        self.tables: list[Table] = []
        self._kept = {parse_path(path) for path in options.keep_json}
        self._child_keys = {parse_path(table): parts for table, parts in options.child_keys.items()}
        self.root = self._open_table(options.root_table, (), None, None)
        self.root.key = _key(self.root, options.root_key)

    def learn_shape(self, table: Table, value: dict[str, Any]) -> Shape:
        """The shape of a mapping whose like has not been met."""
        self.lessons += 1
        containers = []
        for place, (key, item) in enumerate(value.items()):
            slot = table.slots.get(key) or self._open_slot(table, key)
            kind = type(item)
            if kind is dict or kind is list:
                containers.append(Container(1 << place, key, slot, kind is dict))
            elif kind not in SCALARS:
                raise RefusedError(f"has type {kind.__name__}, which JSON has not; give it as text", path=slot.text)
        shape = Shape(tuple(containers), {})
        table.shapes[tuple(value), tuple(map(type, value.values()))] = shape
        return shape

    def learn_bucket(self, table: Table, shape: Shape, value: dict[str, Any], empty: int) -> Bucket:
        """The columns of a mapping: single values, and what is empty or kept as JSON."""
        self.lessons += 1
        fields = []
        for key, item in value.items():
            slot = table.slots[key]
            if item and type(item) in (dict, list) and not slot.is_kept:
                continue
            fields += self._fields(table, slot, item)
        bucket = shape.buckets[empty] = table.add_bucket(fields)
        return bucket

    def learn_element(self, table: Table, value: Any, *, is_row: bool) -> Bucket:
        """The one column of list elements of one type; none where an element's own elements are rows."""
        self.lessons += 1
        if type(value) not in SCALARS and type(value) not in (dict, list):
            kind = type(value).__name__
            raise RefusedError(f"has type {kind}, which JSON has not; give it as text", path=table.element.text)
        return table.add_bucket(self._fields(table, table.element, value) if is_row else [])

    def open_child(self, table: Table, slot: Slot) -> Table:
        """The child table of a field that holds more than one value."""
        name = self.options.tables.get(slot.text)
        if name is None and table.is_stand_in:
            name = f"({slot.text})"
        if name is None:
            try:
                name = generated_table(table.name, slot.step, slot.text)
            except RefusedError as error:
                name = self._stand_in(error)
        slot.child = self._open_table(name, slot.path, table, slot.step)
        return slot.child

    def _open_table(self, name: str, path: Path, parent: Table | None, step: Step) -> Table:
        table = Table(name, path, parent, step, keeps_elements=(*path, None) in self._kept)
        if table.depth > self.options.max_depth:
            raise RefusedError(
                f"lies {table.depth} tables deep, max_depth is {self.options.max_depth}", path=table.text
            )
        if len(self.tables) > self.options.max_child_tables:
            limit = self.options.max_child_tables
            raise RefusedError(f"would be child table {len(self.tables)}, max_child_tables is {limit}", path=table.text)
        try:
            self.registry.bind(name, None, table.text)
        except RefusedError as error:
            table.name = self._stand_in(error)
        table.columns = self.registry.columns(table.name)
        table.key = _key(table, self._child_keys.get(path, ()))
        self.tables.append(table)
        return table

    def _open_slot(self, table: Table, key: Any) -> Slot:
        if type(key) is not str:
            raise RefusedError(f"has the key {key!r} of type {type(key).__name__}; give it as text", path=table.text)
        path = (*table.path, key)
        if "\0" in key or not _is_unicode(key):
            raise RefusedError("is a key that no warehouse keeps", path=path_text(path))
        slot = table.slots[key] = Slot(key, path, is_kept=path in self._kept)
        return slot

    def _fields(self, table: Table, slot: Slot, value: Any) -> list[Field]:
        if slot.column is None and not slot.is_refused:
            try:
                name = self.options.columns.get(slot.text) or generated_column(slot.step, slot.text)
                self.registry.bind(table.name, name, slot.text)
                slot.column = name
                table.columns[name] = slot.text
            except RefusedError as error:
                self._stand_in(error)
                slot.is_refused = True
        return [] if slot.is_refused else [Field(slot, scalar_of(value))]

    def _stand_in(self, error: RefusedError) -> str:
        """A name that is no name, so that a preview can go on and find the next problem."""
        if self.problems is None:
            raise error
        self.problems.append(error)
        return f"({error.path})"


def _key(table: Table, parts: Any) -> tuple[KeyPart, ...]:
    key = []
    for text in parts:
        path = parse_path(text)
        owner = table.ancestor(path[:-1])
        if owner:
            key.append(KeyPart(owner, path[-1], text))
    return tuple(key)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

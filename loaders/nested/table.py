"""A table while it is filled: the places of its fields, and the rows of the current chunk grouped by shape.

Rows that have the same keys with values of the same types form one bucket. All that depends on the shape alone (which
columns, which kinds) is worked out once for a bucket, so that a row costs an append, and a column is made at once.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from loaders.nested.identity import id_prefix
from loaders.nested.kinds import kinds_text
from loaders.nested.naming import CHILD_COLUMNS, ROOT_COLUMNS
from loaders.nested.path import Path, Step, path_text
from loaders.nested.scalar import Scalar

# Technical values that a row appends to Table.rows: row id, parent's row id, list index, number of its root in the
# chunk, number of its bucket.
ROW_WIDTH = 5


class Slot:
    """One place in a table's objects: a column where it holds a single value, a child table where it holds more."""

    __slots__ = ("child", "column", "is_kept", "is_refused", "labels", "path", "step", "text")

    def __init__(self, step: Step, path: Path, *, is_kept: bool) -> None:
        self.step = step
        self.path = path
        self.text = path_text(path)
        self.is_kept = is_kept
        self.is_refused = False
        self.column: str | None = None
        self.child: Table | None = None
        self.labels: Counter[str] = Counter()


class Field(NamedTuple):
    """A column of a bucket."""

    slot: Slot
    scalar: Scalar


class Bucket:
    """Rows of one table with the same columns of the same kinds, as the mappings (or list elements) they come from."""

    __slots__ = ("fields", "kinds", "number", "values")

    def __init__(self, number: int, fields: list[Field]) -> None:
        self.number = number
        self.fields = fields
        self.kinds = kinds_text({str(slot.column): scalar.kind for slot, scalar in fields})
        self.values: list[Any] = []


class Container(NamedTuple):
    """A list or mapping among a shape's values; `bit` marks it where it is empty."""

    bit: int
    key: str
    slot: Slot
    is_mapping: bool


class Shape(NamedTuple):
    """The keys of a mapping with the types of their values; a bucket for each choice of empty ones among them."""

    containers: tuple[Container, ...]
    buckets: dict[int, Bucket]


class KeyPart(NamedTuple):
    """A field whose value is part of a row's identity; `owner` is the row's own table or one above it."""

    owner: Table
    step: Step
    text: str


class Table:
    """One table of the package."""

    def __init__(self, name: str, path: Path, parent: Table | None, step: Step, *, keeps_elements: bool) -> None:
        self.name = name
        self.path = path
        self.text = path_text(path)
        self.parent = parent
        self.step = step
        self.depth: int = parent.depth + 1 if parent else 0
        self.prefix = id_prefix(self.text if parent else name)
        self.key: tuple[KeyPart, ...] = ()
        # By source key; the element of a list itself has a place of its own.
        self.slots: dict[str, Slot] = {}
        self.element = Slot(None, (*path, None), is_kept=keeps_elements)
        self.columns: dict[str, str] = {}
        self.row_count = 0
        # The mapping whose children are being walked, for the keys of tables below.
        self.current: Any = None
        self.shapes: dict[tuple[tuple[str, ...], tuple[type, ...]], Shape] = {}
        self.elements: dict[object, Bucket] = {}
        self.buckets: list[Bucket] = []
        self.rows: list[Any] = []

    @property
    def is_stand_in(self) -> bool:
        """Whether its name could not be had."""
        return self.name.startswith("(")

    @property
    def technical_columns(self) -> tuple[str, ...]:
        return CHILD_COLUMNS if self.parent else ROOT_COLUMNS

    def ancestor(self, path: Path) -> Table | None:
        """This table or the one above it that has `path`."""
        table: Table | None = self
        while table and table.path != path:
            table = table.parent
        return table

    def add_bucket(self, fields: list[Field]) -> Bucket:
        bucket = Bucket(len(self.buckets), fields)
        self.buckets.append(bucket)
        return bucket

    def forget_shapes(self) -> None:
        """Drop what was learned of shapes, between chunks; it is learned again where it is met again."""
        self.shapes.clear()
        self.elements.clear()
        self.buckets.clear()

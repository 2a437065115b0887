"""The options of a nested source table, as the sources YAML declares them under config.meta.nested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from loaders.errors import SettingsError
from loaders.nested import NestedOptions


def read_options(table: str, options: Mapping[str, Any], record_key: Sequence[str]) -> NestedOptions:
    """The options of a nested source table; SettingsError that names all that is wrong with them.

    Children are replaced with their root, so the model's `record_key` has to say the same of two roots as `root_key`.
    """
    nested = NestedOptions.read({**options, "root_table": table})
    problems = []
    # By its name a child is known to belong to the package.
    if "__" in table:
        problems.append(f"{table!r} is the name of a child; the name of a root has no __")
    strange = [name for name in nested.tables.values() if not name.startswith(f"{table}__")]
    if strange:
        problems.append(f"tables: {', '.join(strange)}: the name of a child of {table} begins with {table}__")
    if not nested.root_key or nested.key_columns != list(record_key):
        problems.append(
            f"root_key is {list(nested.root_key)} and record_key {list(record_key)}; they have to be the same columns,"
            " and at least one"
        )
    if problems:
        raise SettingsError("; ".join(problems))
    return nested

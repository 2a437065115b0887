"""The options of a nested source table, as the sources YAML declares them under config.meta.nested."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loaders.errors import SettingsError
from loaders.nested import NestedOptions


def read_options(table: str, options: Mapping[str, Any]) -> NestedOptions:
    """The options of a nested source table; SettingsError that names all that is wrong with them."""
    nested = NestedOptions.read({**options, "root_table": table})
    # By its name a child is known to belong to the package.
    strange = [name for name in nested.tables.values() if not name.startswith(f"{table}__")]
    if strange:
        raise SettingsError(f"tables: {', '.join(strange)}: the name of a child of {table} begins with {table}__")
    return nested

"""A dbt plugin that lets a macro call a Python function on the model's own connection.

dbt-core imports installed top-level modules named dbt_* and makes an object of everything in their `plugins`. That
interface is marked experimental; here is all that we use of it. The macro `run_python` is its other half.
"""

from __future__ import annotations

import importlib
from typing import Any

from dbt.adapters.factory import FACTORY
from dbt.plugins.manager import dbtPlugin


def run_python(adapter: Any, function: str, arguments: dict[str, Any]) -> Any:
    """Call `module:function` with the adapter's open connection, then `arguments` by name."""
    module, _, name = function.partition(":")
    connection = adapter.connections.get_thread_connection()
    return getattr(importlib.import_module(module), name)(connection.handle, **arguments)


class RunPython(dbtPlugin):
    """Adds `adapter.run_python` to the adapters that this run uses."""

    def initialize(self) -> None:
        for plugin in FACTORY.plugins.values():
            plugin.adapter.run_python = run_python
            plugin.adapter._available_ |= {"run_python"}


plugins = [RunPython]

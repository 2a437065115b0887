"""Objects to a package in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from loaders.nested.chunks import walk_objects
from loaders.nested.json_lines import JsonLines, as_input
from loaders.nested.options import NestedOptions
from loaders.nested.package import MemoryTable, Package, ordered, table_facts
from loaders.nested.quality import judge
from loaders.nested.registry import Registry
from loaders.nested.table import Table
from loaders.nested.walk import Walk
from loaders.nested.witness import Witness


def normalize(
    objects: Iterable[Mapping[str, Any]] | JsonLines, options: NestedOptions, *, registry: Registry | None = None
) -> Package:
    """The package of `objects`, held in memory: the rows, ids and verdicts that `spill` would write.

    `registry` holds the names of earlier runs and is not changed. RefusedError for what cannot be kept exactly.
    """
    source = as_input(objects)
    walk = Walk(options, registry.copy() if registry else Registry())
    witness = Witness(options.verify)
    held: dict[str, list[pa.Table]] = {}

    def store(table: Table, rows: pa.Table) -> None:
        held.setdefault(table.name, []).append(rows)

    count = walk_objects(source, walk, store=store, look=witness.look)
    tables = {}
    for table in walk.tables if count else ():
        facts = table_facts(table)
        rows = [ordered(one, facts.all_columns) for one in held[table.name]]
        tables[table.name] = MemoryTable(facts, pa.concat_tables(rows))
    checks = (*judge(tables, options), witness.compare(tables.values())) if count else ()
    bindings = tuple(walk.plan.registry.bindings())
    return Package(options.root_table, tables, bindings, checks, count, source.blank_count)

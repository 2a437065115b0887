"""Every pending raw batch of one nested source to a package, oldest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from loaders.batch import Batch
from loaders.errors import LoaderError, SettingsError
from loaders.ledger import Ledger
from loaders.names import LINE
from loaders.nested import Generation, JsonLines, NestedOptions, Package, Registry, deliver, spill
from loaders.packages.duckdb import DuckDBWorkplace
from loaders.packages.options import read_options
from loaders.packages.postgres import PostgresWorkplace
from loaders.packages.sink import ClaimedError, PackageSink
from loaders.packages.snowflake import SnowflakeWorkplace
from loaders.packages.workplace import Workplace
from loaders.settings import Target

_ENGINES: Mapping[str, Callable[[Any, Target], Workplace]] = {
    "duckdb": DuckDBWorkplace,
    "postgres": PostgresWorkplace,
    "snowflake": SnowflakeWorkplace,
}


def normalize_pending(
    handle: Any,
    *,
    engine: str,
    schema: str,
    source: str,
    table: str,
    children: Sequence[str],
    options: dict[str, Any],
    record_key: Sequence[str],
) -> list[str]:
    """Make every pending batch of `<source>.<table>_raw` a package of root and child batches; say what was done.

    `handle` is dbt's open connection with no transaction on it, `engine` and `schema` are the target's. Each package
    comes with its raw batch's claim in one transaction. A batch that is refused stays pending, with the reason in the
    ledger, and those behind it wait: what was read later must not be loaded before it. SettingsError for options that
    are wrong; nothing was read then.
    """
    try:
        nested = read_options(table, options, record_key)
    except SettingsError as error:
        raise SettingsError(f"{source}.{table}: nested: {error}; correct it in the sources YAML") from None
    workplace = _ENGINES[engine](handle, Target(engine, engine, schema, {}))
    ledger = Ledger(workplace.connection, workplace.state_schema)
    said = []
    for raw in ledger.landed(f"{source}.{table}_raw"):
        try:
            said += _normalize(workplace, ledger, raw, source, nested, children)
        except LoaderError as error:
            ledger.refuse(raw, str(error))
            return [*said, f"{raw.source_table} {raw.batch_id}: refused: {error}"]
    return said


def _normalize(
    workplace: Workplace, ledger: Ledger, raw: Batch, source: str, options: NestedOptions, children: Sequence[str]
) -> list[str]:
    """The package of one raw batch: whole in the stage, or nothing of it."""
    known = _known(ledger, source, options.root_table)
    registry = Registry.from_columns(known)
    # A child that came before comes with every package, be it of zero rows: whoever reads it later must see it go.
    declared = dict.fromkeys([options.root_table, *children, *(name for name, _ in known)])
    with workplace.directory() as directory:
        with workplace.lines(raw) as lines:
            generation = spill(
                JsonLines(lines, name=raw.columns.get(LINE, raw.batch_id)), directory, options, registry=registry
            )
        package = generation or Package(options.root_table, {}, (), (), 0, 0)
        sink = PackageSink(
            workplace,
            raw,
            source=source,
            declared=list(declared),
            count=package.record_count,
            checks=_checks(package),
        )
        try:
            deliver(package, sink)
        except ClaimedError:
            return [f"{raw.source_table} {raw.batch_id}: another run made its package meanwhile"]
    unread = sorted(package.tables.keys() - {options.root_table, *children})
    return [
        f"{raw.source_table} {raw.batch_id}: {package.record_count} objects in {len(package.tables)} tables",
        *(f"{source}.{name}: not declared, so no model reads it; its batches stay pending" for name in unread),
    ]


def _known(ledger: Ledger, source: str, root: str) -> list[tuple[str, Mapping[str, str]]]:
    """The tables that there have been by now, each with what its columns stand for."""
    prefix = f"{source}."
    return [(name.removeprefix(prefix), columns) for name, columns in ledger.package_columns(f"{prefix}{root}")]


def _checks(package: Package | Generation) -> str:
    """The verdicts of all checks, for the ledger; those that did not pass in full."""
    if not package.checks:
        return "no object, nothing to check"
    counts = Counter(one.verdict for one in package.checks)
    told = [
        f"{one.check} of {one.table or package.root_table}: {one.verdict}{f' ({one.detail})' if one.detail else ''}"
        for one in package.checks
        if one.verdict != "passed"
    ]
    return "; ".join(["checks: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()), *told])

"""Column names as the warehouse knows them, the same on every engine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from loaders.errors import SourceError

# The columns a load adds to every bronze table; a delivery may not bring its own.
LOAD_COLUMNS = frozenset(
    {"record_key", "record_hash", "batch_id", "pipeline_run_id", "date_to_warehouse", "update_date"}
)
# Where a row stood in its delivery, counted from 1; kept in the stage, never in bronze.
RECORD_NUMBER = "record_number"
# The one column of a delivery that is kept as raw lines.
LINE = "line"

# PostgreSQL cuts longer names in silence, and a name must mean the same on all engines.
LONGEST_NAME = 63

# Words that at least one engine refuses as a bare column name, and PostgreSQL's system columns. Frozen: adding a word
# renames a column in every warehouse that has it.
RESERVED_WORDS = frozenset(
    """
    account all alter analyse analyze and anti any array as asc asof at asymmetric authorization between binary both by
    case cast check collate collation column concurrently connect connection constraint create cross current
    current_catalog current_date current_role current_schema current_time current_timestamp current_user database
    default deferrable delete desc describe distinct do drop else end except exists false fetch following for
    foreign freeze from full glob grant group gscluster having ilike in increment initially inner insert intersect into
    is isnull issue join lambda lateral leading left like limit localtime localtimestamp minus natural not notnull
    null of offset on only or order organization outer overlaps pivot pivot_longer pivot_wider placing positional
    primary qualify references regexp returning revoke right rlike row rows sample schema select semi session_user set
    show similar some start summarize symmetric system_user table tablesample then to trailing trigger true try_cast
    union unique unpack unpivot update user using values variadic verbose view when whenever where window with
    cmax cmin ctid tableoid xmax xmin
    """.split()
)


def column_name(header: str) -> str:
    """The warehouse's name for a source's `header`, or '' where nothing of it is left.

    Lower case; every run of other characters than a-z and 0-9 becomes one `_`; edges are trimmed; a leading digit
    gets `_` before it, a reserved word gets `_` behind it.
    """
    name = re.sub(r"[^a-z0-9]+", "_", header.lower()).strip("_")
    if name[:1].isdigit():
        return f"_{name}"
    return f"{name}_" if name in RESERVED_WORDS else name


def column_names(headers: Iterable[str], mapping: Mapping[str, str] | None = None) -> dict[str, str]:
    """Each header with its column name, in the order of `headers`; `mapping` names headers explicitly.

    Raises SourceError for two headers that meet in one name (both are given), an empty or over-long name, and a name
    that a load column has.
    """
    mapping = mapping or {}
    headers_by_name: dict[str, str] = {}
    names: dict[str, str] = {}
    for header in headers:
        name = mapping.get(header) or column_name(header)
        problem = _problem(name)
        if problem:
            raise SourceError(f"header {header!r} {problem}; name it under `columns:` in the source's YAML")
        if name in headers_by_name:
            raise SourceError(
                f"headers {headers_by_name[name]!r} and {header!r} both become column {name!r}; "
                "name one of them under `columns:` in the source's YAML"
            )
        headers_by_name[name] = header
        names[header] = name
    return names


def _problem(name: str) -> str | None:
    if not name:
        return "leaves no column name"
    if len(name) > LONGEST_NAME:
        return f"becomes a column name of {len(name)} characters, {LONGEST_NAME} is the limit"
    if name in LOAD_COLUMNS or name == RECORD_NUMBER:
        return f"becomes {name!r}, which every load sets itself"
    return None

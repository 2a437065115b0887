"""What removes from tables what was found in them; SQL that all engines share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from loaders.erase.person import ERASED, REPLACEMENT, Person
from loaders.erase.search import Condition, Finding, Found, Query


def remove(query: Query, found: Found, person: Person) -> None:
    """Delete the person's rows of a table, and replace what its other rows say of them."""
    for statement in _statements(found, person):
        query(statement.sql, statement.parameters)


def _statements(found: Found, person: Person) -> Iterator[Condition]:
    table = found.relation.sql
    if found.row_count:
        yield Condition(f"delete from {table} where {found.condition.sql}", found.condition.parameters)
    for column in found.mentions:
        for one in person.mentions():
            # Twice: the one character between two mentions belongs to the first.
            text = f'"{column}"'
            for _ in range(2):
                text = f"regexp_replace({text}, $pattern, $replacement, 'g')"
            yield Condition(
                f'update {table} set "{column}" = {text} where strpos(lower("{column}"), $needle) > 0',
                {"pattern": one.pattern, "replacement": REPLACEMENT, "needle": one.needle},
            )


def remove_from_reasons(query: Query, finding: Finding) -> None:
    """Refused batches name keys, in quotes: those of the person and of what was theirs go from the ledger's reasons."""
    for one in finding.found:
        if one.relation.name.endswith(".etl_batches"):
            _clean_reasons(query, one.relation.sql, finding.values)


def _clean_reasons(query: Query, ledger: str, values: Set[str]) -> None:
    for (reason,) in query(f"select distinct reason from {ledger} where strpos(reason, '''') > 0", None):
        cleaned = re.sub(r"'([^']*)'", lambda quoted: _cleaned(quoted, values), reason)
        if cleaned != reason:
            query(
                f"update {ledger} set reason = $cleaned where reason = $reason", {"cleaned": cleaned, "reason": reason}
            )


def _cleaned(quoted: re.Match[str], values: Set[str]) -> str:
    """A key of several parts has `|` between them."""
    return f"'{ERASED}'" if values & {quoted[1], *quoted[1].split("|")} else quoted[0]

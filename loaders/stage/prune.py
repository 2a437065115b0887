"""Which stored rows are no longer needed: of batches that are done with, and have been for a while."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from loaders.attempt import LANDED, Attempt, package_root
from loaders.ledger import Ledger
from loaders.stage import Stage


@dataclass(frozen=True)
class Pruned:
    """The stored rows of one batch, or of all batches of one package."""

    source_table: str
    batch_id: str
    batch_count: int
    byte_count: int

    def __str__(self) -> str:
        what = "stored batch" if self.batch_count == 1 else f"{self.batch_count} stored batches"
        return f"{self.source_table} {self.batch_id}: {what} ({self.byte_count / 1e3:,.0f} kB)"


def prune(stage: Stage, ledger: Ledger, *, before: datetime, dry_run: bool = False) -> Iterator[Pruned]:
    """Remove what is stored of packages that were last touched before `before`, none of it pending; yield each.

    The ledger is not changed: a row whose location is empty is a pruned one. So a prune that was killed is finished by
    the next. In the ledger's transaction, so that nothing is replayed meanwhile.
    """
    packages = [
        attempts
        for attempts in _packages(ledger.attempts())
        if all(one.status != LANDED and one.age_from < before for one in attempts)
    ]
    held = stage.held({one.location for attempts in packages for one in attempts if one.location})
    for attempts in packages:
        stored = {one.location: one.byte_count or 0 for one in attempts if one.location in held}
        if stored:
            if not dry_run:
                stage.remove(stored)
            first = min(attempts, key=lambda one: one.source_table)
            yield Pruned(first.source_table, first.batch_id, len(stored), sum(stored.values()))


def _packages(attempts: Iterable[Attempt]) -> list[list[Attempt]]:
    """Attempts at one batch together, and with a nested one those at its raw delivery, root and children."""
    packages: dict[tuple[str, str], list[Attempt]] = defaultdict(list)
    for one in attempts:
        packages[package_root(one.source_table), one.batch_id].append(one)
    return list(packages.values())

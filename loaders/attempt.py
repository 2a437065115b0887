"""Attempts at batches, as the ledger keeps them, and the packages that nested deliveries form of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

LANDED, LOADED, SUPERSEDED, REJECTED = "landed", "loaded", "superseded", "rejected"

# What stands between the names of a nested table and of its child, and behind the name of the raw delivery.
_CHILD, _RAW = "__", "_raw"


@dataclass(frozen=True)
class Attempt:
    """One row of etl_batches: one attempt at one batch. `location` stays when the stored rows are pruned."""

    source_table: str
    batch_id: str
    pipeline_run_id: str
    status: str
    reason: str | None
    location: str | None
    row_count: int | None
    byte_count: int | None
    extracted_at: datetime
    landed_at: datetime | None
    loaded_at: datetime | None

    def __str__(self) -> str:
        return f"{self.source_table} {self.batch_id}"

    @property
    def is_of_child(self) -> bool:
        """Whether it is of a nested child; without rows such a one is stored nowhere."""
        return _CHILD in self.source_table.partition(".")[2]

    @property
    def age_from(self) -> datetime:
        """When it was last touched: loaded, else landed."""
        return self.loaded_at or self.landed_at or self.extracted_at


def package_root(source_table: str) -> str:
    """The root of the package that a nested table belongs to; any other table is its own."""
    source, _, table = source_table.partition(".")
    return f"{source}.{table.split(_CHILD)[0].removesuffix(_RAW)}"


def package_of(attempts: Iterable[Attempt], source_table: str, batch_id: str) -> list[Attempt]:
    """All attempts at the batch, and with a nested root or child those of its whole package.

    The raw delivery that a package was made of stands for itself: it can be made into a package again.
    """
    of_batch = [one for one in attempts if one.batch_id == batch_id]
    root = package_root(source_table)
    is_member = root in {one.source_table for one in of_batch} and source_table != f"{root}{_RAW}"
    return [
        one
        for one in of_batch
        if one.source_table == source_table
        or (is_member and (one.source_table == root or one.source_table.startswith(f"{root}{_CHILD}")))
    ]


def last_attempts(attempts: Iterable[Attempt]) -> list[Attempt]:
    """Of every source table the attempt that was read last, roots before children."""
    by_table = {one.source_table: one for one in sorted(attempts, key=lambda one: (one.extracted_at, one.age_from))}
    return [by_table[name] for name in sorted(by_table)]

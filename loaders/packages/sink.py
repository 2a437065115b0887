"""A package on its way into the stage: its tables; then its ledger rows and its raw batch's claim, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

from loaders.batch import Batch
from loaders.ledger import Ledger
from loaders.nested import TableFile
from loaders.nested.package import StoredTable
from loaders.packages.workplace import Workplace


class ClaimedError(Exception):
    """Another run made the package meanwhile."""


class PackageSink:
    """Takes the tables of the package that `raw` became; `declared` are the tables that come with every package.

    The batches are of `raw`'s own delivery and attempt. A declared table without rows has a batch of zero rows.
    """

    def __init__(
        self, workplace: Workplace, raw: Batch, *, source: str, declared: Sequence[str], count: int, checks: str
    ) -> None:
        self._workplace = workplace
        self._ledger = Ledger(workplace.connection, workplace.state_schema)
        self._raw = raw
        self._source = source
        self._declared = declared
        self._count = count
        self._checks = checks
        self._stored: list[Batch] = []
        self._has_begun = False

    def stage(self, table: StoredTable) -> None:
        """Bring one table of a generation where it will be."""
        batch = replace(self._batch(table.facts.name), columns=table.facts.columns, row_count=table.facts.row_count)
        self._stored.append(self._workplace.store(batch, cast(TableFile, table), self._begin))

    def finalize(self) -> None:
        """Show all of it; ClaimedError where `raw` is not pending any more."""
        self._begin()
        stored = {batch.source_table for batch in self._stored}
        empty = [batch for batch in map(self._batch, self._declared) if batch.source_table not in stored]
        for batch in (*self._stored, *empty):
            self._ledger.insert(batch, lambda: datetime.now(UTC))
        self._workplace.connection.query("commit")
        self._has_begun = False

    def abort(self) -> None:
        """Take back what was staged."""
        if self._has_begun:
            self._has_begun = False
            self._workplace.connection.query("rollback")
        self._workplace.discard(self._stored)

    def _begin(self) -> None:
        """Open the transaction and claim `raw` in it, so that a second run waits here and then finds it claimed."""
        if self._has_begun:
            return
        self._workplace.connection.query("begin")
        self._has_begun = True
        if not self._ledger.claim(self._raw, datetime.now(UTC), row_count=self._count, reason=self._checks):
            raise ClaimedError

    def _batch(self, table: str) -> Batch:
        return replace(
            self._raw,
            source_table=f"{self._source}.{table}",
            columns={},
            row_count=0,
            byte_count=0,
            sha256=None,
            location=None,
            landed_at=None,
        )

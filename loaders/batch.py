"""A batch: one immutable delivery of one source table, as the ledger knows it."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from typing import Any

# PostgreSQL cuts identifiers at 63 bytes in silence; 12 hex digits and `_` stand behind the prefix.
_LONGEST_PREFIX = 40


@dataclass(frozen=True)
class Batch:
    """The columns of etl_batches that a loader knows; what bronze adds later is not among them.

    `columns` holds, for every column, its name and the source's own name. Moments are aware; days are their midnight
    UTC, whatever the report's zone.
    """

    source_table: str
    batch_id: str
    pipeline_run_id: str
    extracted_at: datetime
    columns: Mapping[str, str]
    low: datetime | None = None
    high: datetime | None = None
    window_start: date | None = None
    window_end: date | None = None
    row_count: int = 0
    byte_count: int = 0
    sha256: str | None = None
    location: str | None = None
    landed_at: datetime | None = None

    @property
    def physical_name(self) -> str:
        """A short name for what holds the rows; what it means stands in the ledger."""
        identity = json.dumps([self.source_table, self.batch_id, self.pipeline_run_id])
        prefix = re.sub(r"[^a-z0-9_]", "_", self.source_table.split(".", 1)[1])[:_LONGEST_PREFIX]
        return f"{prefix}_{hashlib.sha256(identity.encode()).hexdigest()[:12]}"

    def ledger_row(self) -> dict[str, Any]:
        """The values of the batch's row in etl_batches, by column."""
        row: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        pairs = [{"name": name, "source": source} for name, source in self.columns.items()]
        # A delivery without a header (an empty body) says nothing about columns.
        row["columns"] = json.dumps(pairs, ensure_ascii=False) if pairs else None
        return row

    def to_json(self) -> str:
        """The batch's own copy of its ledger row, kept with the rows."""
        return json.dumps(self.ledger_row(), default=lambda value: value.isoformat(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Batch:
        """The batch that `to_json` wrote."""
        row = json.loads(text)
        for name in ("low", "high", "extracted_at", "landed_at"):
            row[name] = datetime.fromisoformat(row[name]) if row[name] else None
        for name in ("window_start", "window_end"):
            row[name] = date.fromisoformat(row[name]) if row[name] else None
        return cls.from_ledger_row(row)

    @classmethod
    def from_ledger_row(cls, row: Mapping[str, Any]) -> Batch:
        """The batch whose `ledger_row` it is."""
        return cls(**{**row, "columns": columns_of(row["columns"])})


def columns_of(text: str | None) -> dict[str, str]:
    """What etl_batches.columns says: every column with the source's own name."""
    return {pair["name"]: pair["source"] for pair in json.loads(text or "[]")}


def day_moment(day: date) -> datetime:
    """A day as the watermark keeps it: its midnight UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def moment_text(moment: datetime | None) -> str:
    """A moment inside a batch id: UTC with all six digits, so that its order as text is its order in time."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if moment else ""


def make_pipeline_run_id() -> str:
    """The id of one attempt: its moment, and enough chance to be the only one."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{uuid.uuid4().hex[:8]}"

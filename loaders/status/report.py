"""How far every source table has come, and which batches wait or were set aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from loaders.attempt import LANDED, LOADED, REJECTED, Attempt
from loaders.ledger import Ledger

# How many of a source's last loads are shown; the ledger itself holds all.
SHOWN = 3


def read_status(ledger: Ledger, declared: Iterable[str], now: datetime) -> dict[str, list[dict[str, Any]]]:
    """The state as one document, by what it is about; moments are aware, lateness is in seconds.

    `declared` are the source tables of the YAML: those that were never loaded are shown too. Reads only.
    """
    exists = ledger.exists()
    watermarks = {row["table_name"]: row for row in ledger.watermarks()} if exists else {}
    attempts = ledger.attempts() if exists else []
    counts = Counter((one.source_table, one.status) for one in attempts)
    refused = Counter(one.source_table for one in attempts if one.status == LANDED and one.reason)
    declared = set(declared)
    # A watermark without a dot in its name is a model's.
    known = declared | {one.source_table for one in attempts} | {name for name in watermarks if "." in name}
    sources = [
        {
            "source_table": name,
            "state": _state(name in declared, counts[name, LOADED]),
            **_progress(watermarks.get(name, {}), now),
            "pending": counts[name, LANDED],
            "refused": refused[name],
            "rejected": counts[name, REJECTED],
        }
        for name in sorted(known)
    ]
    return {
        "sources": sources,
        "models": [
            {"model": name, **_progress(row, now)} for name, row in sorted(watermarks.items()) if name not in known
        ],
        "pending": [_batch(one) for one in attempts if one.status == LANDED],
        "rejected": [_batch(one) for one in attempts if one.status == REJECTED],
        "loaded": [_batch(one) for one in _last(attempts)],
    }


def _state(is_declared: bool, loaded_count: int) -> str:
    if not is_declared:
        return "not declared"
    return "loaded" if loaded_count else "never loaded"


def _progress(row: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """A watermark, and how long ago it and the last load are."""
    values: dict[str, Any] = {}
    for moment, age in (("last_extracted", "behind_seconds"), ("last_run_at", "idle_seconds")):
        values[moment] = row.get(moment)
        values[age] = None if row.get(moment) is None else max(0, int((now - row[moment]).total_seconds()))
    return {**values, "rows_extracted": row.get("rows_extracted")}


def _last(attempts: Sequence[Attempt]) -> list[Attempt]:
    loaded: dict[str, list[Attempt]] = {}
    for one in attempts:
        if one.status == LOADED:
            loaded.setdefault(one.source_table, []).append(one)
    return [one for name in sorted(loaded) for one in loaded[name][-SHOWN:]]


def _batch(attempt: Attempt) -> dict[str, Any]:
    names = ["source_table", "batch_id", "pipeline_run_id", "reason", "row_count", "extracted_at", "loaded_at"]
    return {name: getattr(attempt, name) for name in names}

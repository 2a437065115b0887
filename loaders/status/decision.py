"""To reject a batch and to load one again: the two decisions that no rule can take."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from loaders.attempt import LANDED, LOADED, Attempt, last_attempts, package_of
from loaders.batch import make_pipeline_run_id
from loaders.errors import SettingsError, StageError
from loaders.ledger import Ledger
from loaders.stage import Stage

_SHOWN = 5


def reject(ledger: Ledger, source_table: str, batch_id: str, *, reason: str) -> list[Attempt]:
    """Set every pending attempt at the batch aside, and with a nested one its whole package; returns them.

    What was read later then loads without it. The watermark moves by its own rule, so that it stands before a hole.
    """
    package = _package(ledger.attempts(), source_table, batch_id)
    pending = [one for one in package if one.status == LANDED]
    if not pending:
        raise StageError(_why_not_pending(last_attempts(package)[0]))
    for one in pending:
        if not ledger.reject(one, f"{reason} (refused: {one.reason})" if one.reason else reason):
            raise StageError(f"{one}: pending no longer, a build loads it just now; look again")
    return pending


def replay(
    stage: Stage, ledger: Ledger, source_table: str, batch_id: str, *, pipeline_run_id: str | None = None
) -> list[Attempt]:
    """Land the stored rows of a batch again, and with a nested one those of its whole package; returns the originals.

    Of several attempts the one that was read last, or the one that `pipeline_run_id` names. All get one
    pipeline_run_id, and keep the moment at which they were read: what is newer by the rules of bronze stays newer.
    """
    package = _package(ledger.attempts(), source_table, batch_id)
    waiting = [str(one) for one in package if one.status == LANDED]
    if waiting:
        raise StageError(f"{source_table} {batch_id}: pending already; `dbt build` loads it, or reject it first")
    chosen = last_attempts(one for one in package if pipeline_run_id in (None, one.pipeline_run_id))
    if not chosen:
        runs = ", ".join(one.pipeline_run_id for one in package)
        raise SettingsError(f"{source_table} {batch_id}: no attempt {pipeline_run_id!r}; there are: {runs}")
    _check_stored(stage, chosen)
    again, moment = make_pipeline_run_id(), datetime.now(UTC)
    for one in chosen:
        if not ledger.replay(one, pipeline_run_id=again, moment=moment):
            raise StageError(f"{one}: changed meanwhile; look again")
    return chosen


def _check_stored(stage: Stage, attempts: Sequence[Attempt]) -> None:
    """StageError where the rows of an attempt are not there."""
    held = stage.held({one.location for one in attempts if one.location})
    for one in attempts:
        if one.location is None and not one.is_of_child:
            raise StageError(f"{one}: nothing was stored for it; ask the source again")
        if one.location and one.location not in held:
            raise StageError(f"{one}: its stored rows were pruned ({one.location}); ask the source again")


def _package(attempts: Sequence[Attempt], source_table: str, batch_id: str) -> list[Attempt]:
    """SettingsError, with what there is, where there is no such batch."""
    tables = sorted({one.source_table for one in attempts})
    if source_table not in tables:
        raise SettingsError(f"no batch of {source_table!r}; there are batches of: {', '.join(tables) or 'nothing yet'}")
    found = package_of(attempts, source_table, batch_id)
    if not found:
        ids = list(dict.fromkeys(one.batch_id for one in attempts if one.source_table == source_table))
        raise SettingsError(f"{source_table} has no batch {batch_id!r}; the last are: {', '.join(ids[-_SHOWN:])}")
    return found


def _why_not_pending(attempt: Attempt) -> str:
    if attempt.status == LOADED:
        return f"{attempt}: is loaded; only a pending batch can be rejected"
    return f"{attempt}: is {attempt.status} already{f': {attempt.reason}' if attempt.reason else ''}"

"""The nightly export jobs as Gladly lists them: one for each UTC day that is over, kept for two weeks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from demo.chance import opaque_id, roll
from demo.contacts import utc_day
from demo.desk import Desk, midnight
from demo.faults import Fault
from demo.nightly_files import FILES
from demo.report_request import RefusedError

KEPT_DAYS = 14
STATUSES = ("PENDING", "IN_PROGRESS", "COMPLETED", "FAILED")
_ONE_DAY = timedelta(days=1)
_ZONED = re.compile(r".*(Z|[+-]\d{2}:?\d{2})")


@dataclass(frozen=True)
class Night:
    """How the export of one day went.

        sandbox.nights[date(2026, 1, 30)] = FAILED
        sandbox.nights[date(2026, 1, 29)] = Night(faults={"customers.jsonl": BLANK_LINES_BETWEEN})

    `faults` spoil a file each time it is fetched. Only a COMPLETED night lists and has its files.
    """

    status: str = "COMPLETED"
    files: Sequence[str] = FILES
    faults: Mapping[str, Fault] = field(default_factory=dict)


COMPLETED = Night()
PENDING = Night("PENDING")
IN_PROGRESS = Night("IN_PROGRESS")
FAILED = Night("FAILED")
NO_FILES = Night(files=())


@dataclass(frozen=True)
class ExportJob:
    """The export of one UTC day."""

    seed: int
    day: date
    night: Night

    @property
    def job_id(self) -> str:
        return opaque_id(self.seed, "export job", self.day)

    @property
    def files(self) -> Sequence[str]:
        return self.night.files if self.night.status == "COMPLETED" else ()

    @property
    def updated_at(self) -> str:
        """In the night after the day, with eight or nine digits."""
        chance = roll(self.seed, "export job", self.day)
        second = datetime.combine(self.day + _ONE_DAY, time(3), UTC) + timedelta(seconds=chance.randrange(2400))
        return f"{second:%Y-%m-%dT%H:%M:%S}.{chance.randrange(10**9):09}".removesuffix("0") + "Z"

    def document(self) -> dict[str, Any]:
        """The job as JSON."""
        parameters = {
            "type": "CONVERSATIONS",
            "startAt": f"{self.day}T00:00:00Z",
            "endAt": f"{self.day + _ONE_DAY}T00:00:00Z",
        }
        return {
            "id": self.job_id,
            "scheduleId": schedule_id(self.seed),
            "status": self.night.status,
            "updatedAt": self.updated_at,
            "parameters": parameters,
            "files": list(self.files),
        }


def export_jobs(desk: Desk, nights: Mapping[date, Night]) -> list[ExportJob]:
    """The jobs that are still kept, in an order that says nothing and is another one each day."""
    last = utc_day(desk.now) - _ONE_DAY
    days = [last - timedelta(days=age) for age in range(KEPT_DAYS)]
    roll(desk.seed, "export jobs", desk.today).shuffle(days)
    return [ExportJob(desk.seed, day, nights.get(day, COMPLETED)) for day in days]


def filter_jobs(jobs: Sequence[ExportJob], asked: Mapping[str, str], desk: Desk) -> list[ExportJob]:
    """Those with the status and the moment of change asked for; raises RefusedError."""
    status = asked.get("status")
    if status not in (None, *STATUSES):
        raise RefusedError("status", "invalid", f"must be one of {', '.join(STATUSES)}")
    # `today` is asked at some time of its day, so what is in the future begins when it is over.
    future = datetime.fromtimestamp(midnight(desk.today + _ONE_DAY, desk.zone) / 1000, UTC)
    oldest = datetime.fromtimestamp(desk.now / 1000, UTC) - timedelta(days=KEPT_DAYS)
    start, end = _moment(asked, "startAt") or oldest, _moment(asked, "endAt") or future
    if start < oldest:
        raise RefusedError("startAt", "invalid", f"must not be more than {KEPT_DAYS} days ago")
    if end < start or end > future:
        raise RefusedError("endAt", "invalid", "must not be before startAt nor in the future")
    return [
        job
        for job in jobs
        if status in (None, job.night.status) and start <= datetime.fromisoformat(job.updated_at) <= end
    ]


def _moment(asked: Mapping[str, str], attr: str) -> datetime | None:
    text = asked.get(attr)
    if text is None:
        return None
    try:
        if _ZONED.fullmatch(text):
            return datetime.fromisoformat(text)
    except ValueError:
        pass  # a zone, but no moment before it
    raise RefusedError(attr, "invalid", "must look like 2031-04-05T00:00:00Z")


def schedule_id(seed: int) -> str:
    """The id of the organization's one schedule."""
    return opaque_id(seed, "export schedule")


def export_schedules(desk: Desk) -> list[dict[str, Any]]:
    """At most one an organization: every night."""
    next_day = utc_day(desk.now) + _ONE_DAY
    return [
        {
            "id": schedule_id(desk.seed),
            "type": "CONVERSATIONS",
            "frequency": "DAILY",
            "nextStartAt": f"{next_day}T00:00:00Z",
            "updatedAt": "2021-06-01T12:00:00.5Z",
        }
    ]

"""The support desk on one day: which contacts it has seen, and how much of their lives.

A contact's life is a pure function of the seed and its place on the calendar; a report shows it up to `now`. So a desk
whose day turns shows waiting contacts ended, and nothing has to be remembered between two days.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from demo.contacts import DAY, Contact
from demo.stories import tell_contact

# Gladly reaches back for ever; somewhere an invented desk has to begin.
OPENED_ON = date(2015, 1, 1)


@dataclass(frozen=True)
class Desk:
    """The support desk as it stands at 00:00 of `today` in the organization's time zone."""

    seed: int
    contacts_per_day: int
    today: date
    zone: ZoneInfo

    @cached_property
    def now(self) -> int:
        """The moment after which nothing has happened yet."""
        return midnight(self.today, self.zone)

    def contacts(self, *, start: int, end: int) -> Iterator[Contact]:
        """All contacts queued by now on the UTC days that touch `start`..`end`: more than the window asks for."""
        day = max(utc_day(start), OPENED_ON)
        last_day = utc_day(min(end, self.now) - 1)
        while day <= last_day:
            for number in range(self.contacts_per_day):
                contact = tell_contact(self.seed, day, number)
                if contact.queued_at < self.now:
                    yield contact
            day += timedelta(days=1)


def midnight(day: date, zone: ZoneInfo) -> int:
    """The moment at which `day` begins in `zone`."""
    return int(datetime.combine(day, time(), zone).timestamp()) * 1000


def utc_day(moment: int) -> date:
    """The UTC calendar day of a moment."""
    return date(1970, 1, 1) + timedelta(days=moment // DAY)

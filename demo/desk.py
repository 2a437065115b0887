"""The support desk on one day: which contacts and conversations it has seen, and how much of their lives.

A contact's life is a pure function of the seed and its place on the calendar; a report shows it up to `now`. So a desk
whose day turns shows waiting contacts ended, and nothing has to be remembered between two days.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from demo.contacts import Contact, utc_day
from demo.conversation_stories import blocks, tell_block
from demo.conversations import Conversation
from demo.stories import tell_contact

# Gladly reaches back for ever; somewhere an invented desk has to begin. A Sunday, as conversations are told by weeks.
OPENED_ON = date(2015, 1, 4)


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

    def conversations(self, *, start: int, end: int) -> Iterator[Conversation]:
        """All conversations begun by now in the weeks that touch `start`..`end`: more than the window asks for."""
        first_week = max(utc_day(start), OPENED_ON).toordinal() // 7
        last_week = utc_day(min(end, self.now) - 1).toordinal() // 7
        # Block by block, so that a report of many begins with the first few and holds no more of them at once.
        for numbers in blocks(self.contacts_per_day):
            for week in range(first_week, last_week + 1):
                for conversation in tell_block(self.seed, week, numbers):
                    if conversation.created_at < self.now:
                        yield conversation


def midnight(day: date, zone: ZoneInfo) -> int:
    """The moment at which `day` begins in `zone`."""
    return int(datetime.combine(day, time(), zone).timestamp()) * 1000

"""The topics of the support desk: a tree whose seasonal branch opens and closes one topic after the other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import NamedTuple

from demo.chance import opaque_id

# A seasonal topic is open for so many days, then the next one is.
SEASON_DAYS = 2
HIERARCHY = " > "


class Topic(NamedTuple):
    """One topic; names are not unique, and some hold a comma."""

    name: str
    parent: Topic | None = None
    season: int | None = None  # its turn among the seasonal topics; None: always open

    @property
    def path(self) -> str:
        """The names from the root down, as the conversation export prints them."""
        return f"{self.parent.path}{HIERARCHY}{self.name}" if self.parent else self.name

    @property
    def topic_id(self) -> str:
        return _id_of(self.path)

    def is_disabled(self, day: date) -> bool:
        return self.season is not None and day.toordinal() // SEASON_DAYS % _SEASONS != self.season


@cache
def _id_of(path: str) -> str:
    return opaque_id("topic", path)


_SEASONS = 3
_TREE: dict[str, tuple[str, ...]] = {
    "Reservations": ("Change of dates", "Cancellation, refund", "Group booking"),
    "Billing": ("Invoice, receipt", "Charged twice", "Other"),
    "Stay": ("Lost property", "Spa, dining & events", "Other"),
    "Loyalty club": (),
    "Seasonal": (),
}


def _grow() -> Iterator[Topic]:
    for root_name, names in _TREE.items():
        root = Topic(root_name)
        yield root
        yield from (Topic(name, root) for name in names)
        if root_name == "Stay":
            room = Topic("Room", root)
            yield room
            yield from (Topic(name, room) for name in ("Noise, at night", "Heating"))
        if root_name == "Seasonal":
            seasonal = ("Ski pass", "Summer terrace, pool", "Christmas market")
            yield from (Topic(name, root, season) for season, name in enumerate(seasonal))


TOPICS = tuple(_grow())


def open_topics(day: date) -> list[Topic]:
    """The topics that an agent can choose on a day."""
    return [topic for topic in TOPICS if not topic.is_disabled(day)]

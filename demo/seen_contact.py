"""A contact as a report sees it: up to now, with the corrections that were made by now."""

from __future__ import annotations

from collections import Counter

from demo.contacts import Contact, Event, Kind
from demo.desk import Desk
from demo.places import INBOXES


class SeenContact:
    """A contact up to now, its corrections included."""

    def __init__(self, contact: Contact, desk: Desk) -> None:
        self.contact = contact
        self.is_inbound = contact.direction == "INBOUND"
        self.events = [event for event in contact.events if event.at < desk.now]
        self.counts = Counter((event.kind, event.detail) for event in self.events)
        self._firsts: dict[Kind, Event] = {}
        for event in self.events:
            self._firsts.setdefault(event.kind, event)
        correction = contact.correction
        self._corrected = correction.of if correction and correction.on <= desk.today else None
        self._to_be_corrected = correction.of if correction and correction.on > desk.today else None

    def at(self, kind: Kind) -> int | None:
        """When something happened for the first time."""
        event = self._firsts.get(kind)
        return event.at if event else None

    def detail(self, kind: Kind) -> str:
        event = self._firsts.get(kind)
        return event.detail if event else ""

    def count(self, kind: Kind) -> int:
        return sum(event.kind == kind for event in self.events)

    def between(self, first: Kind, last: Kind) -> int | None:
        start, end = self.at(first), self.at(last)
        return None if start is None or end is None else end - start

    @property
    def status(self) -> str:
        """Some contacts end with a status that nobody has settled yet."""
        if self.at(Kind.ENDED) is not None and self._to_be_corrected == "status":
            return "UNKNOWN"
        return self.detail(Kind.ENDED)

    @property
    def inbox_when_ended(self) -> str:
        if self.at(Kind.ENDED) is None:
            return ""
        place = INBOXES.index(self.contact.last_inbox) + (self._corrected == "inbox")
        return INBOXES[place % len(INBOXES)].name

    @property
    def after_contact(self) -> int:
        return self.contact.after_contact + 45_500 * (self._corrected == "after_contact")

    def hold_time(self, reason: str) -> int:
        holds = [e for e in self.events if e.kind in (Kind.HOLD_STARTED, Kind.HOLD_ENDED) and e.detail == reason]
        return sum(end.at - start.at for start, end in zip(holds[::2], holds[1::2], strict=False))

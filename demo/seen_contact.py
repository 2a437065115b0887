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
    def handle_time(self) -> int | None:
        """How long an agent worked on it until it ended; None before that."""
        ended_at = self.at(Kind.ENDED)
        if ended_at is None:
            return None
        met_at = self.at(Kind.OFFER_ACCEPTED if self.is_inbound else Kind.STARTED)
        return 0 if met_at is None else int((ended_at - met_at) * self.contact.worked)

    @property
    def after_contact(self) -> int:
        return self.contact.after_contact + 45_500 * (self._corrected == "after_contact")

    @property
    def total_handle_time(self) -> int | None:
        """With the work after it; None before it ended."""
        return None if self.handle_time is None else self.handle_time + self.after_contact

    def payment_requests(self, outcome: str) -> int:
        """How many came to this end; each asked for the contact's payment_cents."""
        return self.counts[Kind.PAYMENT_CHANGED, outcome]

    def hold_time(self, reason: str) -> int:
        holds = [e for e in self.events if e.kind in (Kind.HOLD_STARTED, Kind.HOLD_ENDED) and e.detail == reason]
        return sum(end.at - start.at for start, end in zip(holds[::2], holds[1::2], strict=False))

"""What the items of one contact have in common."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from demo.chance import opaque_id, roll
from demo.contacts import Contact, Event, utc_day
from demo.customer_records import customer_record
from demo.items import Content, Item, Party

AUTOMATION_ID = opaque_id("automation")
APPLICATION_ID = opaque_id("application")
# What people type: line breaks, quotes, accents, signs beyond the basic plane, words that look like missing values.
TEXTS = (
    "Hello,\nwhere can I park?\n\nThanks",
    'We asked for a "quiet" room, and got the one over the bar.',
    "Obrigada, até amanhã — não há pressa",
    "👍🏽",
    "null",
    "",
    "  Is breakfast included?  ",
    "Our booking is C:\\bookings\\12\tPlease check; dates: 12/24, 12/25",
    "予約を変更したいです。",
)
_PARTY_KINDS = {"Customer": "CUSTOMER", "Agent": "AGENT", "Automation": "AUTOMATION", "Application": "API"}


@dataclass(frozen=True)
class Scene:
    """A contact from `start` to just before `end`, the day of which items are told."""

    seed: int
    contact: Contact
    start: int
    end: int

    @cached_property
    def chance(self) -> random.Random:
        return roll(self.seed, "items", self.contact.contact_id)

    @cached_property
    def record(self) -> dict[str, Any]:
        """The customer on the day of the contact."""
        return customer_record(self.seed, self.contact.customer, utc_day(self.contact.queued_at))

    def has(self, moment: int) -> bool:
        return self.start <= moment < self.end

    def text(self, place: int) -> str:
        return TEXTS[(place * 5 + self.contact.queued_at) % len(TEXTS)]

    def item_id(self, place: int) -> str:
        return opaque_id(self.seed, "item", self.contact.contact_id, place)

    def item(self, place: int, content: Content, responder: Party | None = None) -> Item:
        """The item of the contact's event at `place`."""
        event, contact = self.contact.events[place], self.contact
        initiator = _initiator(event, contact)
        ids = self.item_id(place), contact.customer_id
        return Item(*ids, event.at, content, contact.conversation_id, initiator, responder)


def _initiator(event: Event, contact: Contact) -> Party | None:
    ids = {"Customer": contact.customer_id, "Automation": AUTOMATION_ID, "Application": APPLICATION_ID}
    party_id = event.actor.agent_id if event.actor else ids.get(event.initiator)
    # Some items do not say who wrote them.
    if party_id is None or event.at % 29 == 0:
        return None
    return Party(_PARTY_KINDS[event.initiator], party_id)

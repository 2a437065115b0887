"""What a contact of the support desk is. All moments are whole milliseconds since 1970, UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

from demo.channels import Channel
from demo.people import Agent
from demo.places import Inbox

DAY = 86_400_000
HOLD_REASONS = ("MANUAL", "WARM_TRANSFER", "COLD_TRANSFER", "CONFERENCE")


def utc_day(moment: int) -> date:
    """The UTC calendar day of a moment."""
    return date(1970, 1, 1) + timedelta(days=moment // DAY)


class Kind(StrEnum):
    """Event types as the timestamps report prints them."""

    STARTED = "CONTACT/STARTED"
    OFFERED = "CONTACT/OFFERED"
    OFFER_REJECTED = "CONTACT/OFFER_REJECTED"
    OFFER_ACCEPTED = "CONTACT/OFFER_ACCEPTED"
    JOINED = "CONTACT/JOINED"
    FULFILLED = "CONTACT/FULFILLED"
    TRANSFERRED = "CONTACT/TRANSFERRED"
    HOLD_STARTED = "CONTACT/HOLD_STARTED"
    HOLD_ENDED = "CONTACT/HOLD_ENDED"
    MESSAGE_RECEIVED = "CONTACT/MESSAGE_RECEIVED"
    MESSAGE_SENT = "CONTACT/MESSAGE_SENT"
    ENDED = "CONTACT/ENDED"
    PAYMENT_CREATED = "PAYMENT_REQUEST/CREATED"
    PAYMENT_CHANGED = "PAYMENT_REQUEST/CHANGED"


class Event(NamedTuple):
    """Something that happened to a contact; inbox and agent are those assigned just before it.

    detail: the reason of a hold or a rejection, the inbox transferred to, RESPONDED or CANCELED, the outcome of a
    payment request, the status of a contact that ended.
    """

    at: int
    kind: Kind
    initiator: str
    actor: Agent | None
    inbox: Inbox
    agent: Agent | None
    detail: str


class Correction(NamedTuple):
    """A value that somebody puts right weeks after the contact ended."""

    on: date
    of: str  # "status", "inbox" or "after_contact"


@dataclass(frozen=True, slots=True)
class Contact:
    """One contact, from being queued to its end, whether or not any of it has happened yet."""

    number: int
    contact_id: str
    conversation_id: str
    customer: str  # the word of demo.customers
    customer_id: str
    channel: Channel
    direction: str
    ivr_selection: str
    events: tuple[Event, ...]
    last_inbox: Inbox
    last_agent: Agent | None
    fulfilled_by: str
    worked: float
    after_contact: int
    payment_cents: int
    correction: Correction | None

    @property
    def queued_at(self) -> int:
        return self.events[0].at

    @property
    def ended_at(self) -> int:
        return self.events[-1].at

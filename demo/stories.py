"""How a contact's life is made up: who waited how long for what.

Every UTC day has `contacts_per_day` contacts. By their number on the day some play a part that tests and demo rely on:

    0        answered, and corrected exactly 20 days later; begins a conversation, with a customer of its own
    2, 4     on every third day two records of one customer, which are merged later
    1, 11..  an email of the evening that waits until the next morning
    5, 25..  its first event is delivered twice
    15, 35.. its first event is delivered again a day later
    6+7, ..  (every eighth pair) a call back to the customer, and the email that this call fulfils
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import NamedTuple

from demo.chance import opaque_id, roll
from demo.channels import CHANNEL_WEIGHTS, CHANNELS, HOUR, Channel
from demo.contacts import DAY, HOLD_REASONS, Contact, Correction, Event, Kind
from demo.customers import CUSTOMERS_OF_A_BLOCK, conversation_id, customer_id, customer_of
from demo.people import AGENTS, Agent
from demo.places import INBOXES

CORRECTED_AFTER_DAYS = 20

_OUTBOUND_CHANNELS = ("PHONE_CALL", "SMS", "WHATSAPP", "EMAIL")
# One selection has a comma and a line break, as a menu typed into a text box may.
_IVR_SELECTIONS = ("Reservations", "Billing", "Front desk", "Spa, dining\n& events")


class _Part(NamedTuple):
    """What is settled about a contact before its story is told."""

    started_at: int
    channel: Channel
    direction: str
    customer: str
    ending: str  # the status it ends with
    accept: tuple[float, float]
    # The call that answers it, and when that call starts.
    fulfilled_by: str = ""
    fulfilled_at: int = 0


class _Story:
    """Writes events one after the other, and knows who is in charge before each."""

    def __init__(self, part: _Part, chance: random.Random) -> None:
        self.part = part
        self.chance = chance
        self.at = part.started_at
        self.inbox = chance.choices(INBOXES, (30, 20, 8, 18, 14, 10))[0]
        self.agent: Agent | None = None
        self.events: list[Event] = []

    def wait(self, seconds: tuple[float, float]) -> None:
        self.at += int(self.chance.uniform(*seconds) * 1000)

    def tell(self, kind: Kind, initiator: str, detail: str = "", actor: Agent | None = None) -> None:
        actor = actor or (self.agent if initiator == "Agent" else None)
        self.events.append(Event(self.at, kind, initiator, actor, self.inbox, self.agent, detail))

    def offer(self) -> None:
        """Offered until an agent accepts; now and then one misses or declines it first."""
        while True:
            agent = self.chance.choice(AGENTS)
            self.tell(Kind.OFFERED, "System")
            self.wait((1, 20))
            if self.chance.random() >= 0.12:
                break
            self.tell(Kind.OFFER_REJECTED, "Agent", self.chance.choice(("MISSED", "DECLINED")), agent)
            self.wait((1, 30))
        self.tell(Kind.OFFER_ACCEPTED, "Agent", actor=agent)
        self.agent = agent


def contact_id(seed: int, day: date, number: int) -> str:
    """The id of a day's contact `number`."""
    return opaque_id(seed, "contact", day, number)


def tell_contact(seed: int, day: date, number: int) -> Contact:
    """The whole life of a day's contact `number`."""
    chance = roll(seed, "contact", day, number)
    part = _cast(seed, day, number, chance)
    story = _Story(part, chance)
    (_tell_inbound if part.direction == "INBOUND" else _tell_outbound)(story)
    is_inbound_call = part.direction == "INBOUND" and part.channel.name == "PHONE_CALL"
    return Contact(
        number=number,
        contact_id=contact_id(seed, day, number),
        conversation_id=conversation_id(seed, part.customer, day),
        customer=part.customer,
        customer_id=customer_id(seed, part.customer),
        channel=part.channel,
        direction=part.direction,
        ivr_selection=chance.choice(_IVR_SELECTIONS) if is_inbound_call else "",
        events=tuple(story.events),
        last_inbox=story.inbox,
        last_agent=story.agent,
        fulfilled_by=part.fulfilled_by,
        worked=chance.uniform(*part.channel.worked),
        after_contact=int(chance.uniform(0, 120_000)) if story.agent else 0,
        payment_cents=chance.randint(1_000, 90_000),
        correction=_correct(day, number, part.ending, chance),
    )


def _cast(seed: int, day: date, number: int, chance: random.Random) -> _Part:
    day_start = (day.toordinal() - date(1970, 1, 1).toordinal()) * DAY
    if number // 2 % 8 == 3:
        return _cast_callback(seed, day, number, day_start)
    started_at = day_start + chance.randrange(DAY)
    customer = customer_of(day, number, chance.randrange(CUSTOMERS_OF_A_BLOCK))
    if number % 10 == 1:
        evening = day_start + 17 * HOUR * 1000 + chance.randrange(HOUR * 1000)
        return _Part(evening, CHANNELS["EMAIL"], "INBOUND", customer, "ANSWERED", (15 * HOUR, 16 * HOUR))
    if number and chance.random() < 0.12:
        channel = CHANNELS[chance.choice(_OUTBOUND_CHANNELS)]
        return _Part(started_at, channel, "OUTBOUND", customer, chance.choice(("ANSWERED", "UNANSWERED")), (5, 40))
    channel = chance.choices(tuple(CHANNELS.values()), CHANNEL_WEIGHTS)[0]
    ending = "ANSWERED"
    if number and chance.random() < 0.12:
        ending = "ABANDONED" if channel.name in {"PHONE_CALL", "CHAT"} else "UNANSWERED"
    return _Part(started_at, channel, "INBOUND", customer, ending, channel.accept)


def _cast_callback(seed: int, day: date, number: int, day_start: int) -> _Part:
    """The even number calls the customer; the odd one is the email which that call answers."""
    pair = roll(seed, "callback", day, number // 2)
    customer = customer_of(day, number, pair.randrange(CUSTOMERS_OF_A_BLOCK))
    emailed_at = day_start + pair.randrange(DAY - 2 * HOUR * 1000)
    called_at = emailed_at + pair.randrange(HOUR // 3 * 1000, HOUR * 1000)
    if number % 2 == 0:
        return _Part(called_at, CHANNELS["PHONE_CALL"], "OUTBOUND", customer, "ANSWERED", (5, 40))
    call = contact_id(seed, day, number - 1)
    return _Part(emailed_at, CHANNELS["EMAIL"], "INBOUND", customer, "ANSWERED", (30, 120), call, called_at)


def _tell_inbound(story: _Story) -> None:
    part, chance = story.part, story.chance
    story.tell(Kind.STARTED, "Customer")
    if part.channel.name != "PHONE_CALL":
        story.tell(Kind.MESSAGE_RECEIVED, "Customer")
        if chance.random() < 0.3:
            story.wait((0.2, 2))
            story.tell(Kind.MESSAGE_SENT, "Automation")
    story.wait(part.accept)
    if part.ending == "ABANDONED":
        story.tell(Kind.OFFERED, "System")
        story.wait((5, 60))
        story.tell(Kind.ENDED, "Customer", part.ending)
        return
    story.offer()
    story.wait(part.channel.respond)
    if part.ending == "UNANSWERED":
        # Closed because no reply is needed: Gladly counts that as fulfilled too.
        story.tell(Kind.FULFILLED, "Agent", "CANCELED")
        story.tell(Kind.ENDED, "Agent", part.ending)
        return
    if part.fulfilled_by:
        story.at = part.fulfilled_at
    elif part.channel.name != "PHONE_CALL":
        story.tell(Kind.MESSAGE_SENT, "Agent")
    story.tell(Kind.FULFILLED, "Agent", "RESPONDED")
    _tell_service(story)


def _tell_outbound(story: _Story) -> None:
    part, chance = story.part, story.chance
    story.agent = chance.choice(AGENTS)
    story.tell(Kind.STARTED, "Agent")
    if part.channel.name == "PHONE_CALL":
        story.wait(part.accept)
        if part.ending == "ANSWERED":
            story.tell(Kind.JOINED, "Customer")
            _tell_service(story)
            return
    else:
        story.tell(Kind.MESSAGE_SENT, "Application" if chance.random() < 0.3 else "Agent")
        if part.ending == "ANSWERED":
            story.wait(part.channel.reply)
            story.tell(Kind.MESSAGE_RECEIVED, "Customer")
    story.wait(part.channel.close)
    story.tell(Kind.ENDED, "Agent", part.ending)


def _tell_service(story: _Story) -> None:
    """What follows once agent and customer have met: talk, holds, a transfer, a payment, the end."""
    channel, chance = story.part.channel, story.chance
    if channel.name == "PHONE_CALL":
        for _ in range(chance.choice((0, 0, 0, 1, 2))):
            _tell_hold(story)
    for _ in range(chance.randint(0, channel.most_rounds)):
        story.wait(channel.reply)
        story.tell(Kind.MESSAGE_RECEIVED, "Customer")
        story.wait(channel.reply)
        story.tell(Kind.MESSAGE_SENT, "Agent")
    if chance.random() < 0.08:
        destination = chance.choice([inbox for inbox in INBOXES if inbox != story.inbox])
        story.tell(Kind.TRANSFERRED, "Agent", destination.name)
        story.inbox, story.agent = destination, None
        story.offer()
    if chance.random() < 0.06:
        story.tell(Kind.PAYMENT_CREATED, "Agent")
        story.wait((20, 200))
        story.tell(Kind.PAYMENT_CHANGED, "Customer", chance.choice(("COMPLETED", "COMPLETED", "DECLINED")))
    story.wait(channel.close)
    story.tell(Kind.ENDED, "Agent", story.part.ending)


def _tell_hold(story: _Story) -> None:
    reason = story.chance.choices(HOLD_REASONS, (70, 10, 10, 10))[0]
    story.wait((10, 200))
    story.tell(Kind.HOLD_STARTED, "Agent", reason)
    story.wait((5, 90))
    story.tell(Kind.HOLD_ENDED, "Agent", reason)


def _correct(day: date, number: int, ending: str, chance: random.Random) -> Correction | None:
    of = chance.choice(("status", "inbox", "after_contact"))
    if number == 0:
        return Correction(day + timedelta(days=CORRECTED_AFTER_DAYS), of)
    if ending == "ANSWERED" and chance.random() < 0.03:
        return Correction(day + timedelta(days=chance.randint(3, 25)), of)
    return None

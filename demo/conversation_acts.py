"""What customers, agents and rules do to a conversation, each act told without a look at the others.

Acts that change nothing, such as closing what is closed, are dropped when the story is put together.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from demo.chance import opaque_id
from demo.channels import HOUR
from demo.contacts import DAY, Contact, Event, Kind, utc_day
from demo.conversations import STRUCK, ConversationKind
from demo.customers import is_regular
from demo.directory import seasonal_agents
from demo.people import AGENTS, Agent
from demo.places import INBOXES, Inbox
from demo.topics import Topic, open_topics

# A regular's conversation is reopened on the day before and closed again on this day after it was created, at hours
# that belong to these UTC days in any time zone of the organization from Tokyo to Honolulu.
CLOSED_AGAIN_AFTER_DAYS = 15
SILENCE_RULE = opaque_id("rule", "closed after two days of silence")
UNASSIGN_RULE_REASON = "REROUTED_UNASSIGN"
_HOUR = HOUR * 1000
_SILENCE = 2 * DAY
_INBOXES = {inbox.name: inbox for inbox in INBOXES}


class Act(NamedTuple):
    """Something that somebody does; of an assignment, to whom (inbox None: the one that has it)."""

    at: int
    kind: ConversationKind
    initiator: str
    actor: Agent | None = None
    detail: str = ""
    inbox: Inbox | None = None
    agent: Agent | None = None
    topic: Topic | None = None
    merged: Contact | None = None


@dataclass(frozen=True)
class Plot:
    """What the acts of one conversation depend on."""

    contacts: tuple[Contact, ...]
    chance: random.Random

    @property
    def first(self) -> Contact:
        return self.contacts[0]

    @property
    def day_start(self) -> int:
        return self.first.queued_at // DAY * DAY

    @property
    def day(self) -> date:
        return utc_day(self.first.queued_at)

    def moment(self, after_days: int, first_hour: int, last_hour: int) -> int:
        """A moment between two hours, so many days after the conversation's first."""
        return self.day_start + after_days * DAY + self.chance.randrange(first_hour * _HOUR, last_hour * _HOUR)


def all_acts(plot: Plot) -> Iterator[Act]:
    """All acts, in no order in particular; those of one moment are in theirs."""
    yield from _contacts(plot)
    yield from _closings(plot)
    yield from _topics_and_notes(plot)
    yield from _late_reopening(plot)


def _contacts(plot: Plot) -> Iterator[Act]:
    """Contacts begin, are accepted and transferred; the conversation follows them."""
    started = plot.first.events[0]
    yield Act(started.at, ConversationKind.CREATED, started.initiator, started.actor)
    for contact in plot.contacts:
        for event in contact.events:
            if event.kind == Kind.STARTED and contact is not plot.first:
                yield from _next_contact(event, plot.chance)
            elif event.kind == Kind.OFFER_ACCEPTED:
                yield _assign(event, "CONTACT_OFFERED", event.inbox, event.actor)
            elif event.kind == Kind.TRANSFERRED:
                reason = "PHONE_CALL_TRANSFER" if contact.channel.name == "PHONE_CALL" else "MANUAL"
                yield _assign(event, reason, _INBOXES[event.detail], None)


def _next_contact(started: Event, chance: random.Random) -> Iterator[Act]:
    """A conversation that was closed is opened again by its next contact, and a rule may take it from its agent."""
    yield Act(started.at, ConversationKind.REOPENED, started.initiator, started.actor)
    if started.actor:
        yield _assign(started, "MESSAGE_OUTBOUND", started.inbox, started.actor)
    elif chance.random() < 0.5:
        yield _assign(started, UNASSIGN_RULE_REASON, started.inbox, None)


def _assign(event: Event, reason: str, inbox: Inbox, agent: Agent | None) -> Act:
    initiator = "Agent" if event.actor else "System"
    return Act(event.at, ConversationKind.ASSIGNED, initiator, event.actor, reason, inbox, agent)


def _closings(plot: Plot) -> Iterator[Act]:
    """It is closed once its contacts have ended, unless the next one is quicker."""
    busy_until = 0
    following = [contact.queued_at for contact in plot.contacts[1:]]
    for place, contact in enumerate(plot.contacts):
        busy_until = max(busy_until, contact.ended_at)
        close = _closing(plot, busy_until, contact.last_agent)
        if place == len(following) or close.at < following[place]:
            yield close


def _closing(plot: Plot, busy_until: int, agent: Agent | None) -> Act:
    """By an agent within hours, by a rule after days; some are forgotten for weeks."""
    chance = plot.chance.random()
    if chance < 0.25:
        return Act(busy_until + _SILENCE, ConversationKind.CLOSED, "System", detail=SILENCE_RULE)
    wait = plot.chance.randrange(60_000, 6 * _HOUR)
    if chance < 0.3 and not is_regular(plot.first.customer):
        wait += plot.chance.randint(9, 20) * DAY
    return Act(busy_until + wait, ConversationKind.CLOSED, "Agent", agent or plot.chance.choice(AGENTS))


def _topics_and_notes(plot: Plot) -> Iterator[Act]:
    """Whoever meets the customer first chooses topics; some are taken back, by a regular's agent always."""
    chance = plot.chance
    met = [event for contact in plot.contacts for event in contact.events if _is_meeting(event)]
    if not met:
        return
    agent, at = met[0].actor, met[0].at + chance.randrange(5_000, 60_000)
    choice = open_topics(plot.day)
    regular = is_regular(plot.first.customer)
    *topics, other = chance.sample(choice, k=1 + (2 if regular else chance.choice((1, 1, 1, 2, 3))))
    for topic in topics:
        yield Act(at, ConversationKind.TOPIC_ADDED, "Agent", agent, topic=topic)
    if regular:
        struck_at = (at // DAY + 1) * DAY + chance.randrange(8 * _HOUR, 16 * _HOUR)
        yield Act(struck_at, ConversationKind.TOPIC_REMOVED, "Agent", agent, STRUCK, topic=topics[-1])
    elif chance.random() < 0.12:
        at += chance.randrange(_HOUR)
        yield Act(at, ConversationKind.TOPIC_REMOVED, "Agent", agent, topic=topics[-1])
        if chance.random() < 0.7:
            yield Act(at, ConversationKind.TOPIC_ADDED, "Agent", agent, topic=other)
    yield from _notes(plot, met)


def _is_meeting(event: Event) -> bool:
    return event.actor is not None and event.kind in (Kind.STARTED, Kind.OFFER_ACCEPTED)


def _notes(plot: Plot, met: list[Event]) -> Iterator[Act]:
    """Agents write notes while they work, and whoever joined last writes one for practice."""
    for event in met:
        if plot.chance.random() < 0.25:
            at = event.at + plot.chance.randrange(30_000, _HOUR // 4)
            yield Act(at, ConversationKind.NOTE_CREATED, "Agent", event.actor)
    if plot.chance.random() < 0.05:
        trainee = seasonal_agents(plot.day)[-1]
        yield Act(plot.moment(1, 9, 17), ConversationKind.NOTE_CREATED, "Agent", trainee)


def _late_reopening(plot: Plot) -> Iterator[Act]:
    """Weeks later an agent has a second look: every regular's conversation, and some others."""
    if is_regular(plot.first.customer):
        reopened_at = plot.moment(CLOSED_AGAIN_AFTER_DAYS - 1, 10, 14)
        closed_at = plot.moment(CLOSED_AGAIN_AFTER_DAYS, 10, 14)
    elif plot.chance.random() < 0.08:
        reopened_at = plot.moment(plot.chance.randint(10, 25), 8, 20)
        closed_at = reopened_at + plot.chance.randrange(_HOUR, 40 * _HOUR)
    else:
        return
    agent = plot.chance.choice(AGENTS)
    yield Act(reopened_at, ConversationKind.REOPENED, "Agent", agent)
    yield Act(reopened_at, ConversationKind.ASSIGNED, "Agent", agent, "MANUAL", None, agent)
    if plot.chance.random() < 0.5:
        yield Act(reopened_at + _HOUR // 2, ConversationKind.NOTE_CREATED, "Agent", agent)
    yield Act(closed_at, ConversationKind.CLOSED, "Agent", agent)

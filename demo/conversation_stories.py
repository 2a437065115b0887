"""How a conversation's life is put together: contacts of a week are grouped, and acts become events.

A conversation is a pure function of the seed, the week and the size of the desk, like the contacts it is made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from demo.chance import roll
from demo.channels import HOUR
from demo.contacts import DAY, Contact
from demo.conversation_acts import Act, Plot, all_acts
from demo.conversations import Assignee, Conversation, ConversationEvent, ConversationKind
from demo.customers import CONTACTS_OF_A_BLOCK, TWINS_ORIGINAL, is_twin
from demo.people import AGENTS
from demo.stories import tell_contact
from demo.topics import Topic

# Nothing happens to a conversation so long after its first contact.
LONGEST_LIFE = 35 * DAY


def blocks(contacts_per_day: int) -> Iterator[range]:
    """The numbers of a day's contacts in blocks, each with customers and so conversations of its own."""
    for start in range(0, contacts_per_day, CONTACTS_OF_A_BLOCK):
        yield range(start, min(start + CONTACTS_OF_A_BLOCK, contacts_per_day))


# Enough for a month of a small desk with all that reaches into it, and never more than a few dozen megabytes.
@lru_cache(maxsize=24)
def tell_block(seed: int, week: int, numbers: range) -> tuple[Conversation, ...]:
    """The conversations of one week (seven days from the Sunday week * 7) in the contacts with these numbers."""
    days = (date.fromordinal(ordinal) for ordinal in range(week * 7, week * 7 + 7))
    contacts = [tell_contact(seed, day, number) for day in days for number in numbers]
    groups: dict[str, list[Contact]] = {}
    for contact in sorted(contacts, key=lambda contact: contact.queued_at):
        groups.setdefault(contact.conversation_id, []).append(contact)
    twins = {contact.queued_at // DAY: contact for contact in contacts if is_twin(contact.customer)}
    return tuple(_tell_conversation(seed, group, _twins_of(group, twins)) for group in groups.values())


def _twins_of(contacts: Sequence[Contact], twins: dict[int, Contact]) -> list[Contact]:
    days = [contact.queued_at // DAY for contact in contacts if contact.number == TWINS_ORIGINAL]
    return [twins[day] for day in days if day in twins]


def _tell_conversation(seed: int, contacts: Sequence[Contact], twins: Sequence[Contact]) -> Conversation:
    first = contacts[0]
    acts = list(all_acts(Plot(tuple(contacts), roll(seed, "acts", first.conversation_id))))
    acts += [_merge(seed, twin) for twin in twins]
    merged_at = _merge(seed, first).at if is_twin(first.customer) else None
    if merged_at is not None:
        acts = [act for act in acts if act.at < merged_at]
    story = _Story(first)
    for act in sorted(acts, key=lambda act: act.at):
        story.tell(act)
    return Conversation(tuple(contacts), tuple(story.events), merged_at)


def _merge(seed: int, twin: Contact) -> Act:
    """Some days later somebody sees that two customers are one."""
    chance = roll(seed, "merge", twin.conversation_id)
    at = (twin.queued_at // DAY + chance.randint(1, 12)) * DAY + chance.randrange(9 * HOUR, 17 * HOUR) * 1000
    return Act(at, ConversationKind.MERGED, "Agent", chance.choice(AGENTS), merged=twin)


class _Story:
    """Makes events of acts one after the other, and knows how the conversation stands before each."""

    def __init__(self, first: Contact) -> None:
        self.assignee = Assignee(first.events[0].inbox, first.events[0].agent)
        self.is_open = False
        self.topics: list[Topic] = []
        self.events: list[ConversationEvent] = []

    def tell(self, act: Act) -> None:
        assigned_to = self._assigned_to(act)
        if not self._changes(act, assigned_to):
            return
        self.events.append(
            ConversationEvent(
                act.at,
                act.kind,
                act.initiator,
                self.assignee,
                act.actor,
                act.detail,
                assigned_to,
                act.topic,
                act.merged,
            )
        )
        self.assignee = assigned_to or self.assignee
        if act.kind in (ConversationKind.CREATED, ConversationKind.REOPENED, ConversationKind.CLOSED):
            self.is_open = act.kind != ConversationKind.CLOSED
        elif act.kind == ConversationKind.TOPIC_ADDED and act.topic:
            self.topics.append(act.topic)
        elif act.kind == ConversationKind.TOPIC_REMOVED and act.topic:
            self.topics.remove(act.topic)

    def _assigned_to(self, act: Act) -> Assignee | None:
        if act.kind != ConversationKind.ASSIGNED:
            return None
        return Assignee(act.inbox or self.assignee.inbox, act.agent)

    def _changes(self, act: Act, assigned_to: Assignee | None) -> bool:
        """Only what is open can be closed, and so on."""
        if act.kind == ConversationKind.CLOSED:
            return self.is_open
        if act.kind == ConversationKind.REOPENED:
            return not self.is_open
        return assigned_to != self.assignee

"""What a conversation of the support desk is: contacts of one customer, and what is done with them as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from demo.contacts import Contact
from demo.people import Agent
from demo.places import Inbox
from demo.topics import Topic


class ConversationKind(StrEnum):
    """Event types as the timestamps report prints them."""

    CREATED = "CONVERSATION/CREATED"
    CLOSED = "CONVERSATION/CLOSED"
    REOPENED = "CONVERSATION/REOPENED"
    ASSIGNED = "CONVERSATION_ASSIGNEE/UPDATED"
    TOPIC_ADDED = "CONVERSATION/TOPIC_ADDED"
    TOPIC_REMOVED = "CONVERSATION/TOPIC_REMOVED"
    NOTE_CREATED = "NOTE/CREATED"
    MERGED = "CUSTOMER/MERGED"


class Assignee(NamedTuple):
    """Who is in charge of a conversation."""

    inbox: Inbox
    agent: Agent | None


class ConversationEvent(NamedTuple):
    """Something that happened to a conversation, and who was in charge just before it.

    detail: why it was assigned, the rule that closed it, STRUCK for a topic that was put there by mistake.
    """

    at: int
    kind: ConversationKind
    initiator: str
    before: Assignee
    actor: Agent | None = None
    detail: str = ""
    assigned_to: Assignee | None = None
    topic: Topic | None = None
    merged: Contact | None = None  # of the conversation that was merged into this one

    @property
    def after(self) -> Assignee:
        return self.assigned_to or self.before


STRUCK = "STRUCK"


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation from its first contact to its end; events and contacts are in the order of time."""

    contacts: tuple[Contact, ...]
    events: tuple[ConversationEvent, ...]
    merged_at: int | None  # it is then part of another one

    @property
    def first_contact(self) -> Contact:
        return self.contacts[0]

    @property
    def conversation_id(self) -> str:
        return self.first_contact.conversation_id

    @property
    def created_at(self) -> int:
        return self.first_contact.queued_at

    @property
    def settled_at(self) -> int:
        """The last moment at which anything happens to it or to one of its contacts."""
        return max(self.events[-1].at, *(contact.ended_at for contact in self.contacts))

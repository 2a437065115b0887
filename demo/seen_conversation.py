"""A conversation as a report sees it: up to now, with what its contacts add up to."""

from __future__ import annotations

from functools import cached_property

from demo.conversation_acts import UNASSIGN_RULE_REASON
from demo.conversations import Assignee, Conversation, ConversationEvent, ConversationKind
from demo.desk import Desk
from demo.seen_contact import SeenContact
from demo.topics import Topic


class SeenConversation:
    """A conversation up to now."""

    def __init__(self, conversation: Conversation, desk: Desk) -> None:
        self.conversation = conversation
        self.events = [event for event in conversation.events if event.at < desk.now]
        self.contacts = [SeenContact(one, desk) for one in conversation.contacts if one.queued_at < desk.now]
        self.is_merged = conversation.merged_at is not None and conversation.merged_at < desk.now
        self.closings = self.of(ConversationKind.CLOSED)

    def of(self, kind: ConversationKind) -> list[ConversationEvent]:
        return [event for event in self.events if event.kind == kind]

    def count(self, kind: ConversationKind) -> int:
        return sum(event.kind == kind for event in self.events)

    @property
    def created(self) -> ConversationEvent:
        return self.events[0]

    @property
    def current(self) -> Assignee:
        return self.events[-1].after

    @property
    def status(self) -> str:
        if self.is_merged:
            return "MERGED"
        is_open = self.count(ConversationKind.REOPENED) == len(self.closings)
        return "OPEN" if is_open else "CLOSED"

    @cached_property
    def topics(self) -> list[Topic]:
        """Those it has now, in the order in which they were added."""
        topics: list[Topic] = []
        for event in self.events:
            if event.topic and event.kind == ConversationKind.TOPIC_ADDED:
                topics.append(event.topic)
            elif event.topic:
                topics.remove(event.topic)
        return topics

    @cached_property
    def channels(self) -> list[str]:
        """Every channel once, in the order in which they were first used."""
        return list(dict.fromkeys(seen.contact.channel.name for seen in self.contacts))

    @cached_property
    def assignees(self) -> list[Assignee]:
        """Everybody who has been in charge."""
        return [self.created.before, *(event.after for event in self.events)]

    @property
    def merged_conversations(self) -> list[str]:
        """The conversations that became part of this one."""
        return [event.merged.conversation_id for event in self.events if event.merged]

    @property
    def handle_time(self) -> int:
        """What agents worked on its contacts that have ended."""
        return sum(seen.total_handle_time or 0 for seen in self.contacts)

    @property
    def times_unassigned_by_rule(self) -> int:
        return sum(event.detail == UNASSIGN_RULE_REASON and event.before.agent is not None for event in self.events)

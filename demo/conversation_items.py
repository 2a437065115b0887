"""The items that a conversation as a whole leaves on the timeline: notes, openings and closings, topics."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from demo.chance import opaque_id
from demo.conversations import STRUCK, Conversation, ConversationEvent, ConversationKind
from demo.items import Content, Item, Party
from demo.scene import TEXTS

_TOPIC_KINDS = (ConversationKind.TOPIC_ADDED, ConversationKind.TOPIC_REMOVED)
_STATUS = {ConversationKind.REOPENED: "OPEN", ConversationKind.CLOSED: "CLOSED"}


def conversation_items(seed: int, conversation: Conversation, start: int, end: int) -> Iterator[Item]:
    """The items written or written again from `start` to just before `end`, as they stood then."""
    # All that is done in one moment is one act of one person.
    for at, together in groupby(conversation.events, key=lambda event: event.at):
        topic_events = []
        for event in together:
            if event.kind in _TOPIC_KINDS and event.detail != STRUCK:
                topic_events.append(event)
            elif start <= at < end and (content := _content(event)):
                yield _item(seed, conversation, event, content)
        if topic_events and (content := _topic_change(conversation, topic_events, start, end)):
            yield _item(seed, conversation, topic_events[0], content)


def _content(event: ConversationEvent) -> Content | None:
    if event.kind == ConversationKind.NOTE_CREATED:
        return {"type": "CONVERSATION_NOTE", "body": TEXTS[event.at % len(TEXTS)]}
    if event.kind in _STATUS:
        return {"type": "CONVERSATION_STATUS_CHANGE", "status": _STATUS[event.kind]}
    return None


def _topic_change(conversation: Conversation, events: list[ConversationEvent], start: int, end: int) -> Content | None:
    """One item for all topics; it is written again, with fewer, when one of them is struck."""
    at = events[0].at
    struck = [event for event in conversation.events if event.detail == STRUCK and at < event.at < end]
    if not any(start <= moment < end for moment in (at, *(event.at for event in struck))):
        return None
    gone = {event.topic for event in struck}
    added = [e.topic for e in events if e.topic not in gone and e.kind == ConversationKind.TOPIC_ADDED]
    removed = [e.topic for e in events if e.kind == ConversationKind.TOPIC_REMOVED]
    lists = {"addedTopicIds": added, "removedTopicIds": removed}
    return {"type": "TOPIC_CHANGE"} | {
        name: [topic.topic_id for topic in topics if topic] for name, topics in lists.items() if topics
    }


def _item(seed: int, conversation: Conversation, event: ConversationEvent, content: Content) -> Item:
    initiator = Party("AGENT", event.actor.agent_id) if event.actor else None
    if event.initiator == "System":
        initiator = Party("AUTOMATION", event.detail)
    elif event.initiator == "Customer":
        initiator = Party("CUSTOMER", conversation.first_contact.customer_id)
    return Item(
        opaque_id(seed, "item", conversation.conversation_id, event.at, content["type"]),
        conversation.first_contact.customer_id,
        event.at,
        content,
        conversation.conversation_id,
        initiator,
    )

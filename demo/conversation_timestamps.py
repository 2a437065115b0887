"""ConversationTimestampsReport: one row an event of a conversation; the window is on Timestamp. Rows have no id."""

from __future__ import annotations

from collections.abc import Iterator

from demo.cells import cell_clock
from demo.conversation_stories import LONGEST_LIFE
from demo.conversations import Conversation, ConversationEvent, ConversationKind
from demo.desk import Desk
from demo.report_request import ReportRequest

HEADERS = (
    "Timezone Filter",
    "Timestamp",
    "Event Type",
    "Conversation ID",
    "Customer ID",
    "Initiator Type",
    "Initiator ID",
    "Initiator Agent Name",
    "Assigned Inbox ID",
    "Assigned Inbox Name",
    "Assigned Agent ID",
    "Assigned Agent Name",
    "Topic ID",
    "Topic Name",
    "Newly Assigned Inbox ID",
    "Newly Assigned Inbox Name",
    "Newly Assigned Agent ID",
    "Newly Assigned Agent Name",
    "Assignment Update Reason",
    "Merged Customer ID",
    "Merged Conversation ID",
)

_NOBODY = ("", "")


def conversation_timestamps_rows(desk: Desk, request: ReportRequest) -> Iterator[list[str]]:
    """The events of the window, in no order in particular."""
    clock = cell_clock(request.zone)
    end = min(request.end, desk.now)
    for conversation in desk.conversations(start=request.start - LONGEST_LIFE, end=end):
        for event in conversation.events:
            if request.start <= event.at < end:
                yield [request.zone.key, clock(event.at), *_cells(conversation, event)]


def _cells(conversation: Conversation, event: ConversationEvent) -> list[str]:
    customer_id = conversation.first_contact.customer_id
    initiator_id, initiator_name = event.actor or _NOBODY
    if event.initiator == "Customer":
        initiator_id = customer_id
    return [
        event.kind,
        conversation.conversation_id,
        customer_id,
        event.initiator,
        initiator_id or (event.detail if event.kind == ConversationKind.CLOSED else ""),
        initiator_name,
        *event.before.inbox,
        *(event.before.agent or _NOBODY),
        *((event.topic.topic_id, event.topic.name) if event.topic else _NOBODY),
        *(event.assigned_to.inbox if event.assigned_to else _NOBODY),
        *((event.assigned_to and event.assigned_to.agent) or _NOBODY),
        event.detail if event.kind == ConversationKind.ASSIGNED else "",
        event.merged.customer_id if event.merged else "",
        event.merged.conversation_id if event.merged else "",
    ]

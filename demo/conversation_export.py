"""ConversationExportReport: one row a conversation, as far as the desk has seen it; the window is on Created At."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from demo.cells import cell_clock, dollars, seconds
from demo.conversations import Assignee, ConversationEvent, ConversationKind
from demo.desk import Desk
from demo.report_request import ReportRequest
from demo.seen_conversation import SeenConversation

HEADERS = (
    "Timezone Filter",
    "Inboxes Filter",
    "Created At",
    "Conversation ID",
    "Customer ID",
    "Conversation Link",
    "Status",
    "Assigned Agent ID - Current",
    "Assigned Agent Name - Current",
    "Inbox ID - Current",
    "Inbox Name - Current",
    "First Closed At",
    "Last Closed At",
    "Initiator Type - Created",
    "Initiator Agent ID - Created",
    "Initiator Agent Name - Created",
    "Inbox ID - Created",
    "Inbox Name - Created",
    "Assigned Agent ID - Created",
    "Assigned Agent Name - Created",
    "Initiator Type - Last Closed",
    "Initiator Agent ID - Last Closed",
    "Initiator Agent Name - Last Closed",
    "Initiator Rule ID - Last Closed",
    "Inbox ID - Last Closed",
    "Inbox Name - Last Closed",
    "Assigned Agent ID - Last Closed",
    "Assigned Agent Name - Last Closed",
    "Topics",
    "Topics with Hierarchy",
    "First Contact ID",
    "First Channel",
    "Second Channel",
    "Third Channel",
    "Last Channel",
    "Created-to-First Closed Time in seconds",
    "Created-to-Last Closed Time in seconds",
    "Conversation Handle Time in seconds",
    "Is FCR Eligible",
    "Is FCR Success",
    "Merged Conversations",
    "Count of Contacts",
    "Count of Channels",
    "Count of Notes",
    "Count of Agents Assigned",
    "Count of Inboxes Assigned",
    "Times Agent Unassigned by Rule",
    "Times Closed",
    "Times Reopened",
    "Times Topic Added",
    "Times Topic Removed",
    "Payment Requests - Completed",
    "Payment Requests - Declined",
    "Payment Amount - Completed (USD)",
    "Payment Amount - Declined (USD)",
)

_PAYMENT_OUTCOMES = ("COMPLETED", "DECLINED")
Clock = Callable[[int | None], str]


def conversation_export_rows(desk: Desk, request: ReportRequest) -> Iterator[list[str]]:
    """The rows of the window, in no order in particular."""
    echo = [request.zone.key, ",".join(inbox.name for inbox in request.inboxes) or "All Inboxes"]
    clock = cell_clock(request.zone)
    for conversation in desk.conversations(start=request.start, end=request.end):
        if not request.start <= conversation.created_at < request.end:
            continue
        seen = SeenConversation(conversation, desk)
        if request.inboxes and seen.current.inbox not in request.inboxes:
            continue
        yield [
            *echo,
            *_identity(seen, clock),
            *_moments(seen, clock),
            *_created(seen.created),
            *_last_closed(seen),
            *_topics_and_channels(seen),
            *_durations(seen),
            *_first_contact_resolution(seen),
            *_counts(seen),
            *_payments(seen),
        ]


def _identity(seen: SeenConversation, clock: Clock) -> list[str]:
    first = seen.conversation.first_contact
    agent_id, agent_name, inbox_id, inbox_name = _names(seen.current)
    return [
        clock(first.queued_at),
        first.conversation_id,
        first.customer_id,
        f"https://hotelmind.gladly.example/customer/{first.customer_id}/conversation/{first.conversation_id}",
        seen.status,
        agent_id,
        agent_name,
        inbox_id,
        inbox_name,
    ]


def _names(assignee: Assignee) -> tuple[str, str, str, str]:
    agent_id, agent_name = assignee.agent or ("", "")
    return agent_id, agent_name, assignee.inbox.inbox_id, assignee.inbox.name


def _moments(seen: SeenConversation, clock: Clock) -> list[str]:
    if not seen.closings:
        return ["", ""]
    return [clock(seen.closings[0].at), clock(seen.closings[-1].at)]


def _created(created: ConversationEvent) -> list[str]:
    agent_id, agent_name, inbox_id, inbox_name = _names(created.before)
    return [created.initiator, *(created.actor or ("", "")), inbox_id, inbox_name, agent_id, agent_name]


def _last_closed(seen: SeenConversation) -> list[str]:
    """Who closed it last, and who was in charge then; a reopened conversation keeps these cells."""
    if not seen.closings:
        return [""] * 8
    last = seen.closings[-1]
    agent_id, agent_name, inbox_id, inbox_name = _names(last.before)
    return [last.initiator, *(last.actor or ("", "")), last.detail, inbox_id, inbox_name, agent_id, agent_name]


def _topics_and_channels(seen: SeenConversation) -> list[str]:
    """Names are joined by commas that nothing tells from the commas in them."""
    second, third = [*seen.channels[1:3], "", ""][:2]
    return [
        ",".join(topic.name for topic in seen.topics),
        ",".join(topic.path for topic in seen.topics),
        seen.conversation.first_contact.contact_id,
        seen.channels[0],
        second,
        third,
        seen.contacts[-1].contact.channel.name,
    ]


def _durations(seen: SeenConversation) -> list[str]:
    closings = [seen.closings[place].at if seen.closings else None for place in (0, -1)]
    ages = [None if at is None else at - seen.created.at for at in closings]
    return [*map(seconds, ages), seconds(seen.handle_time)]


def _first_contact_resolution(seen: SeenConversation) -> list[str]:
    """Eligible once a customer's conversation is closed; a success if one contact was enough."""
    eligible = seen.created.initiator == "Customer" and seen.status == "CLOSED"
    success = eligible and len(seen.contacts) == 1 and not seen.count(ConversationKind.REOPENED)
    return ["Yes" if answer else "No" for answer in (eligible, success)]


def _counts(seen: SeenConversation) -> list[str]:
    counts = (
        len(seen.contacts),
        len(seen.channels),
        seen.count(ConversationKind.NOTE_CREATED),
        len({assignee.agent for assignee in seen.assignees if assignee.agent}),
        len({assignee.inbox for assignee in seen.assignees}),
        seen.times_unassigned_by_rule,
        len(seen.closings),
        seen.count(ConversationKind.REOPENED),
        seen.count(ConversationKind.TOPIC_ADDED),
        seen.count(ConversationKind.TOPIC_REMOVED),
    )
    return [",".join(seen.merged_conversations), *map(str, counts)]


def _payments(seen: SeenConversation) -> list[str]:
    requests = [sum(one.payment_requests(outcome) for one in seen.contacts) for outcome in _PAYMENT_OUTCOMES]
    cents = [
        sum(one.payment_requests(outcome) * one.contact.payment_cents for one in seen.contacts)
        for outcome in _PAYMENT_OUTCOMES
    ]
    return [*map(str, requests), *map(dollars, cents)]

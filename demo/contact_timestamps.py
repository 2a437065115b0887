"""ContactTimestampsReport: one row an event; the window is on Timestamp. Rows have no id, and some come twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from demo.cells import cell_clock
from demo.contacts import DAY, Contact, Event, Kind, utc_day
from demo.desk import Desk
from demo.report_request import ReportRequest

HEADERS = (
    "Timezone Filter",
    "Timestamp",
    "Event Type",
    "Contact ID",
    "Conversation ID",
    "Customer ID",
    "Channel",
    "Initiator Type",
    "Initiator ID",
    "Initiator Agent Name",
    "Assigned Inbox ID",
    "Assigned Inbox Name",
    "Assigned Agent ID",
    "Assigned Agent Name",
    "Transferred To Inbox Name",
    "Final IVR Selection",
    "Fulfilled by Contact ID",
)


def contact_timestamps_rows(desk: Desk, request: ReportRequest) -> Iterator[list[str]]:
    """The events of the window, in no order in particular."""
    clock = cell_clock(request.zone)
    # No contact lives for a day, so whoever had an event in the window was queued a day before it at the earliest.
    for contact in desk.contacts(start=request.start - DAY, end=request.end):
        for event in _delivered(contact, desk):
            if request.start <= event.at < request.end:
                yield [request.zone.key, clock(event.at), *_cells(contact, event)]


def _delivered(contact: Contact, desk: Desk) -> Iterator[Event]:
    """What the source has recorded by now: it may deliver an event twice, and the second copy a day late."""
    first = contact.events[0]
    is_late_copy_there = contact.number % 20 == 15 and utc_day(first.at) < desk.today - timedelta(days=1)
    if contact.number % 20 == 5 or is_late_copy_there:
        yield first
    for event in contact.events:
        if event.at < desk.now:
            yield event


def _cells(contact: Contact, event: Event) -> list[str]:
    actor_id = event.actor.agent_id if event.actor else ""
    return [
        event.kind,
        contact.contact_id,
        contact.conversation_id,
        contact.customer_id,
        contact.channel.name,
        event.initiator,
        contact.customer_id if event.initiator == "Customer" else actor_id,
        event.actor.name if event.actor else "",
        event.inbox.inbox_id,
        event.inbox.name,
        event.agent.agent_id if event.agent else "",
        event.agent.name if event.agent else "",
        event.detail if event.kind == Kind.TRANSFERRED else "",
        contact.ivr_selection if event.kind == Kind.STARTED else "",
        contact.fulfilled_by if event.kind == Kind.FULFILLED else "",
    ]

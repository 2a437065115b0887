"""ContactExportReportV3: one row a contact, as far as the desk has seen it; the window is on Queued At."""

from __future__ import annotations

from collections.abc import Iterator

from demo.cells import cell_clock, dollars, seconds
from demo.contacts import DAY, HOLD_REASONS, Event, Kind
from demo.desk import Desk
from demo.report_request import ReportRequest
from demo.seen_contact import SeenContact

HEADERS = (
    "Timezone Filter",
    "Channel Filter",
    "Inboxes Filter",
    "Queued At",
    "Customer ID",
    "Conversation ID",
    "Contact ID",
    "Conversation Link",
    "Channel",
    "Direction",
    "Contact Initiator",
    "Entry Point",
    "Final IVR Selection",
    "Fulfilled Type",
    "Status",
    "Inbox When Queued",
    "Inbox When Ended",
    "Agent When Ended",
    "Offered At",
    "Accepted At",
    "Fulfilled At",
    "Due At",
    "Ended At",
    "Answered At (Outbound)",
    "SLA Target (sec)",
    "Queued-to-Fulfilled (sec)",
    "Queued-to-Fulfilled within Business Hours (sec)",
    "Queued-to-Accepted (sec)",
    "Queued-to-Ended (sec)",
    "Accepted-to-Fulfilled (sec)",
    "Seconds within (+) or over (-) SLA",
    "Fulfilled-to-Ended (sec)",
    "Fulfilled by Contact ID",
    "Contact Handle Time (sec)",
    "After Contact Time (sec)",
    "Total Contact Handle Time (sec)",
    "Total Talk Time",
    "Hold Time Total (sec)",
    "Hold Time - Manual (sec)",
    "Hold Time - Warm Transfer (sec)",
    "Hold Time - Cold Transfer (sec)",
    "Hold Time - Conference (sec)",
    "Messages Total",
    "Messages from Customer",
    "Messages from Agent",
    "Messages from Rules",
    "Messages from API",
    "Avg Agent Reply Time (sec)",
    "Avg Customer Reply Time (sec)",
    "Times Offered",
    "Times Accepted",
    "Times Missed",
    "Times Declined",
    "Times Transferred",
    "Times on Hold Total",
    "Times on Hold - Manual",
    "Times on Hold - Warm Transfer",
    "Times on Hold - Cold Transfer",
    "Times on Hold - Conference",
    "Payment Requests - Completed",
    "Payment Requests - Declined",
    "Payment Amount - Completed (USD)",
    "Payment Amount - Declined (USD)",
)

_MESSAGE_SENDERS = ("Customer", "Agent", "Automation", "Application")
_MESSAGES = (Kind.MESSAGE_RECEIVED, Kind.MESSAGE_SENT)
_OPENS, _CLOSES = DAY // 4, DAY * 11 // 12  # business hours, 06:00 to 22:00 UTC


def contact_export_rows(desk: Desk, request: ReportRequest) -> Iterator[list[str]]:
    """The rows of the window, in no order in particular."""
    channel_filter = "All Channels" if request.channel_word == "allChannels" else request.channel_word
    inboxes_filter = ",".join(inbox.name for inbox in request.inboxes) or "All Inboxes"
    echo = [request.zone.key, channel_filter, inboxes_filter]
    clock = cell_clock(request.zone)
    for contact in desk.contacts(start=request.start, end=request.end):
        if not request.start <= contact.queued_at < request.end:
            continue
        if request.channel_word not in ("allChannels", contact.channel.filter_word):
            continue
        if request.inboxes and contact.events[0].inbox not in request.inboxes:
            continue
        seen = SeenContact(contact, desk)
        yield [
            *echo,
            clock(contact.queued_at),
            *_who_and_where(seen),
            *map(clock, _moments(seen)),
            *_durations(seen),
            *_work(seen),
            *_messages(seen),
            *_counts(seen),
            *_payments(seen),
        ]


def _who_and_where(seen: SeenContact) -> list[str]:
    contact = seen.contact
    ended = seen.at(Kind.ENDED) is not None
    link = f"https://hotelmind.gladly.example/customer/{contact.customer_id}/conversation/{contact.conversation_id}"
    return [
        contact.customer_id,
        contact.conversation_id,
        contact.contact_id,
        link,
        contact.channel.name,
        contact.direction,
        contact.events[0].initiator,
        contact.channel.entry_point,
        contact.ivr_selection,
        seen.detail(Kind.FULFILLED),
        seen.status,
        contact.events[0].inbox.name,
        seen.inbox_when_ended,
        contact.last_agent.name if ended and contact.last_agent else "",
    ]


def _moments(seen: SeenContact) -> list[int | None]:
    due = seen.contact.queued_at + seen.contact.channel.sla_seconds * 1000 if seen.is_inbound else None
    kinds = (Kind.OFFERED, Kind.OFFER_ACCEPTED, Kind.FULFILLED)
    return [*map(seen.at, kinds), due, seen.at(Kind.ENDED), seen.at(Kind.JOINED)]


def _durations(seen: SeenContact) -> list[str]:
    sla = seen.contact.channel.sla_seconds * 1000 if seen.is_inbound else None
    fulfilled_at, to_fulfilled = seen.at(Kind.FULFILLED), seen.between(Kind.STARTED, Kind.FULFILLED)
    return [
        seconds(sla),
        seconds(to_fulfilled),
        seconds(None if fulfilled_at is None else _business_time(seen.contact.queued_at, fulfilled_at)),
        seconds(seen.between(Kind.STARTED, Kind.OFFER_ACCEPTED)),
        seconds(seen.between(Kind.STARTED, Kind.ENDED)),
        seconds(seen.between(Kind.OFFER_ACCEPTED, Kind.FULFILLED)),
        seconds(None if sla is None or to_fulfilled is None else sla - to_fulfilled),
        seconds(seen.between(Kind.FULFILLED, Kind.ENDED)),
        seen.contact.fulfilled_by if fulfilled_at is not None else "",
    ]


def _business_time(start: int, end: int) -> int:
    days = range(start // DAY, end // DAY + 1)
    return sum(max(0, min(end, day * DAY + _CLOSES) - max(start, day * DAY + _OPENS)) for day in days)


def _work(seen: SeenContact) -> list[str]:
    """Handle, talk and hold times; a contact fills them when it ends."""
    ended_at = seen.at(Kind.ENDED)
    if ended_at is None:
        return [""] * 9
    holds = [seen.hold_time(reason) for reason in HOLD_REASONS]
    talk_started_at = seen.at(Kind.OFFER_ACCEPTED if seen.is_inbound else Kind.JOINED)
    is_call = seen.contact.channel.name == "PHONE_CALL" and talk_started_at is not None
    talked = ended_at - talk_started_at - sum(holds) if is_call and talk_started_at is not None else 0
    times = (seen.handle_time, seen.after_contact, seen.total_handle_time, talked, sum(holds), *holds)
    return [seconds(time) for time in times]


def _messages(seen: SeenContact) -> list[str]:
    messages = [event for event in seen.events if event.kind in _MESSAGES]
    by_sender = [sum(message.initiator == sender for message in messages) for sender in _MESSAGE_SENDERS]
    return [
        *map(str, (len(messages), *by_sender)),
        _average_reply(messages, sender="Agent", to="Customer"),
        _average_reply(messages, sender="Customer", to="Agent"),
    ]


def _average_reply(messages: list[Event], *, sender: str, to: str) -> str:
    """A reply by a rule does not end anybody's wait."""
    replies, waiting_since = [], None
    for message in messages:
        if message.initiator == to and waiting_since is None:
            waiting_since = message.at
        elif message.initiator == sender and waiting_since is not None:
            replies.append(message.at - waiting_since)
            waiting_since = None
    return seconds(sum(replies) // len(replies)) if replies else ""


def _counts(seen: SeenContact) -> list[str]:
    counts = (
        seen.count(Kind.OFFERED),
        seen.count(Kind.OFFER_ACCEPTED),
        seen.counts[Kind.OFFER_REJECTED, "MISSED"],
        seen.counts[Kind.OFFER_REJECTED, "DECLINED"],
        seen.count(Kind.TRANSFERRED),
        seen.count(Kind.HOLD_STARTED),
        *(seen.counts[Kind.HOLD_STARTED, reason] for reason in HOLD_REASONS),
    )
    return list(map(str, counts))


def _payments(seen: SeenContact) -> list[str]:
    requests = [seen.payment_requests(outcome) for outcome in ("COMPLETED", "DECLINED")]
    return [*map(str, requests), *(dollars(count * seen.contact.payment_cents) for count in requests)]

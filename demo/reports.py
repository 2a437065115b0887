"""The reports that the sandbox makes up; one more is one more row here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from demo import contact_export, contact_timestamps, conversation_export, conversation_timestamps
from demo.desk import Desk
from demo.report_request import ReportRequest, Terms


class Report(NamedTuple):
    """One metric set: what it may be asked, its header, and how its rows come about."""

    terms: Terms
    headers: Sequence[str]
    rows: Callable[[Desk, ReportRequest], Iterator[list[str]]]


REPORTS = {
    "ContactExportReportV3": Report(
        Terms(filters=("channel", "inboxes"), takes_times=True),
        contact_export.HEADERS,
        contact_export.contact_export_rows,
    ),
    "ContactTimestampsReport": Report(
        Terms(filters=()),
        contact_timestamps.HEADERS,
        contact_timestamps.contact_timestamps_rows,
    ),
    "ConversationExportReport": Report(
        Terms(filters=("inboxes",)),
        conversation_export.HEADERS,
        conversation_export.conversation_export_rows,
    ),
    "ConversationTimestampsReport": Report(
        Terms(filters=()),
        conversation_timestamps.HEADERS,
        conversation_timestamps.conversation_timestamps_rows,
    ),
}

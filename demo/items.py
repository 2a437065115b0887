"""An item of a conversation's timeline, and how the nightly export writes it down."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

Content = dict[str, Any]


class Party(NamedTuple):
    """Who wrote an item or answered it."""

    kind: str  # AGENT, API, AUTOMATION, CUSTOMER, INTERNAL or EXTERNAL
    party_id: str


class Item(NamedTuple):
    """One item as it stood at the end of a night's day."""

    item_id: str
    customer_id: str
    at: int
    content: Content
    conversation_id: str = ""
    initiator: Party | None = None
    responder: Party | None = None

    def line(self) -> dict[str, Any]:
        """The JSON object; what an item does not have is absent."""
        line: dict[str, Any] = {"id": self.item_id}
        if self.conversation_id:
            line["conversationId"] = self.conversation_id
        line |= {"customerId": self.customer_id, "timestamp": item_time(self.at)}
        for name, party in (("initiator", self.initiator), ("responder", self.responder)):
            if party:
                line[name] = {"type": party.kind, "id": party.party_id}
        return line | {"content": self.content}


def item_time(moment: int) -> str:
    """ISO 8601 with up to three digits: zeros at the end are dropped, but not always."""
    milliseconds = moment % 1000
    fraction = f".{milliseconds:03}"
    if moment // 1000 % 4:
        fraction = fraction.rstrip("0").rstrip(".")
    return f"{_seconds(moment)}{fraction}Z"


def fine_time(moment: int) -> str:
    """ISO 8601 with nine digits; the last six say nothing, and depend on the moment alone."""
    return f"{_seconds(moment)}.{moment % 1000:03}{moment * 7919 % 1_000_000:06}Z"


def _seconds(moment: int) -> str:
    return f"{datetime.fromtimestamp(moment // 1000, UTC):%Y-%m-%dT%H:%M:%S}"

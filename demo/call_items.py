"""The items of a telephone call.

A call is written when it begins and again when it is answered and when it ends, under one id: a call over midnight is
in two nights' files, and the later one has more fields.
"""

from __future__ import annotations

from collections.abc import Iterator

from demo.contacts import Event, Kind
from demo.customer_records import reply_number
from demo.items import Content, Item, Party, fine_time, item_time
from demo.scene import Scene


def call_items(scene: Scene) -> Iterator[Item]:
    """The call as it stood at the end of the day, if anything happened to it then; a message left after it."""
    contact = scene.contact
    met = next((e for e in contact.events if e.kind in (Kind.OFFER_ACCEPTED, Kind.JOINED)), None)
    moments = (contact.queued_at, met.at if met else contact.queued_at, contact.ended_at)
    if any(map(scene.has, moments)):
        agent = met.actor if met and met.at < scene.end else None
        yield scene.item(0, _call(scene, met), Party("AGENT", agent.agent_id) if agent else None)
    hung_up = met is None and contact.direction == "INBOUND" and scene.has(contact.ended_at)
    if hung_up and scene.chance.random() < 0.6:
        yield scene.item(len(contact.events) - 1, _voicemail(scene))


def _call(scene: Scene, met: Event | None) -> Content:
    contact = scene.contact
    numbers = [reply_number(scene.record), contact.channel.entry_point]
    sender, receiver = numbers if contact.direction == "INBOUND" else numbers[::-1]
    content: Content = {
        "type": "PHONE_CALL",
        "from": sender,
        "to": receiver,
        "startedAt": item_time(contact.queued_at),
    }
    if met and met.at < scene.end:
        content["answeredAt"] = fine_time(met.at)
    if contact.ended_at < scene.end:
        content["completedAt"] = item_time(contact.ended_at)
        if met:
            content |= _recording(scene, (contact.ended_at - met.at) // 1000)
    return content


def _recording(scene: Scene, duration: int) -> Content:
    status = scene.chance.choices(("AVAILABLE", "DELETED", "ERROR", None), (70, 10, 5, 15))[0]
    if status is None:
        return {}
    if status != "AVAILABLE":
        return {"recordingStatus": status}
    path = f"/api/v1/conversation-items/{scene.item_id(0)}/media/recording"
    content: Content = {"recordingStatus": status, "recordingUrl": path, "recordingDuration": duration}
    summary = scene.chance.choice(("READY", "READY", "PENDING", "FAILED", "REDACTED", None))
    if summary:
        said = {"summary": "The guest asks about parking.", "language": "en-US"} if summary == "READY" else {}
        content["recordingSummary"] = {"status": summary, **said}
    return content


def _voicemail(scene: Scene) -> Content:
    return {"type": "VOICEMAIL", "startedAt": item_time(scene.contact.ended_at), **_recording(scene, 20)}

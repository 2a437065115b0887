"""The messages of a contact, each an item of its own in the words of its channel."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from demo.chance import opaque_id
from demo.contacts import Contact, Event, Kind
from demo.customer_records import reply_address, reply_number
from demo.items import Content, Item
from demo.scene import Scene

FACEBOOK_PAGE = "104857600000001"
_MESSAGES = (Kind.MESSAGE_RECEIVED, Kind.MESSAGE_SENT)


def message_items(scene: Scene) -> Iterator[Item]:
    """The messages of the scene's day."""
    content_of = _CONTENTS[scene.contact.channel.name]
    for place, event in enumerate(scene.contact.events):
        if event.kind in _MESSAGES and scene.has(event.at) and not _is_left_out(event, scene.contact):
            yield scene.item(place, content_of(scene, place, event))


def _is_left_out(event: Event, contact: Contact) -> bool:
    """What rules answer by e-mail or SMS is not exported."""
    return event.initiator == "Automation" and contact.channel.name in ("EMAIL", "SMS")


def _email(scene: Scene, place: int, event: Event) -> Content:
    desk, customer = scene.contact.channel.entry_point, reply_address(scene.record)
    sender, receiver = (customer, desk) if event.kind == Kind.MESSAGE_RECEIVED else (desk, customer)
    content: Content = {"type": "EMAIL", "from": sender, "to": [receiver]}
    if event.at % 5 == 0:
        content |= {"cc": ["frontdesk@hotelmind.example", "partner@agency.example"], "bcc": []}
    if event.at % 7:
        content["subject"] = "Re: your stay, and more" if place else "Our stay"
    return content | {"content": scene.text(place)}


def _chat(scene: Scene, place: int, event: Event) -> Content:
    session = opaque_id("session", scene.contact.contact_id)
    content: Content = {"type": "CHAT_MESSAGE", "sessionId": session, "content": scene.text(place)}
    request = _quick_reply_request(scene.contact)
    if place == request:
        return content | {"messageType": "QUICK_REPLY_REQUEST", "messageData": {"options": quick_replies()}}
    if request is not None and place == _answer_to(scene.contact, request):
        choice = quick_replies()[event.at % 3]
        data = {
            "quickReplyRequest": {"options": quick_replies()},
            "selectedOptionId": choice["id"],
            "requestMessageId": scene.item_id(request),
        }
        return content | {"messageType": "QUICK_REPLY_RESPONSE", "content": choice["label"], "messageData": data}
    return content if event.at % 4 == 0 else content | {"messageType": "TEXT"}


def quick_replies() -> list[dict[str, str]]:
    """What a bot offers a customer to choose from."""
    labels = ("My booking", "An invoice, a receipt", "Something else")
    return [{"id": str(place), "label": label} for place, label in enumerate(labels, start=1)]


def _quick_reply_request(contact: Contact) -> int | None:
    """The place of the message in which a rule offers replies."""
    return next((place for place, event in enumerate(contact.events) if event.initiator == "Automation"), None)


def _answer_to(contact: Contact, request: int) -> int | None:
    following = range(request + 1, len(contact.events))
    return next((place for place in following if contact.events[place].kind == Kind.MESSAGE_RECEIVED), None)


def _sms(scene: Scene, place: int, event: Event) -> Content:
    desk, customer = scene.contact.channel.entry_point, reply_number(scene.record)
    sender, receiver = (customer, desk) if event.kind == Kind.MESSAGE_RECEIVED else (desk, customer)
    return {"type": "SMS", "from": sender, "to": receiver, "content": scene.text(place)}


def _whatsapp(scene: Scene, place: int, event: Event) -> Content:
    return {"type": "WHATSAPP", "content": scene.text(place)}


def _facebook(scene: Scene, place: int, event: Event) -> Content:
    user = str(int.from_bytes(scene.contact.customer_id[:6].encode()))
    return {"type": "FACEBOOK_MESSAGE", "pageId": FACEBOOK_PAGE, "userId": user, "content": scene.text(place)}


_CONTENTS: dict[str, Callable[[Scene, int, Event], Content]] = {
    "EMAIL": _email,
    "CHAT": _chat,
    "SMS": _sms,
    "WHATSAPP": _whatsapp,
    "FB_MESSENGER": _facebook,
}

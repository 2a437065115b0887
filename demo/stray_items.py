"""Items of what has no contacts in the reports, so that every night tells of every kind: the day's strays.

They belong to yesterday's regular: channels that the desk only reads, what other programs write on the timeline, and
one example of each shape that is rare among the contacts.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from demo.chance import opaque_id, roll
from demo.channels import HOUR
from demo.contacts import DAY
from demo.customers import conversation_id, customer_id, regular_of
from demo.items import Content, Item, Party, fine_time, item_time
from demo.message_items import quick_replies
from demo.people import AGENTS

_CUSTOM_CHANNEL = opaque_id("custom channel")


class _Stray(NamedTuple):
    content: Content
    initiator: str = "CUSTOMER"  # empty: nobody is named
    has_conversation: bool = True


def stray_items(seed: int, day: date) -> Iterator[Item]:
    """The strays of a day, a few minutes after each other."""
    before = day - timedelta(days=1)
    customer = regular_of(before)
    ids = {"CUSTOMER": customer_id(seed, customer), "AGENT": AGENTS[0].agent_id}
    chance = roll(seed, "strays", day)
    at = (day - date(1970, 1, 1)).days * DAY + chance.randrange(20 * HOUR * 1000)
    for place, stray in enumerate(_strays(seed, day, at)):
        at += chance.randrange(1, HOUR * 400)
        initiator = Party(stray.initiator, ids.get(stray.initiator, opaque_id(stray.initiator)))
        yield Item(
            opaque_id(seed, "stray", day, place),
            ids["CUSTOMER"],
            at,
            stray.content,
            conversation_id(seed, customer, before) if stray.has_conversation else "",
            initiator if stray.initiator else None,
        )


def _strays(seed: int, day: date, at: int) -> Iterator[_Stray]:
    yield from _messages(seed, day)
    yield from (_Stray(content, "", has_conversation=False) for content in _activities(at))
    yield _Stray(
        {
            "type": "VOICEMAIL",
            "startedAt": fine_time(at),
            "recordingStatus": "AVAILABLE",
            "recordingUrl": f"/api/v1/conversation-items/{opaque_id(seed, 'stray', day, 'voice')}/media/recording",
            # A number everywhere else.
            "recordingDuration": "17",
            "recordingSummary": {"status": "READY", "summary": "Asks to be called back", "language": "en-US"},
        }
    )
    yield _Stray({"type": "TASK", "body": "Call back, please", "status": "OPEN", "dueAt": item_time(at + DAY)}, "AGENT")


def _messages(seed: int, day: date) -> Iterator[_Stray]:
    yield _Stray({"type": "INSTAGRAM_DIRECT", "content": "Lovely view 🌄"})
    yield _Stray({"type": "TWITTER", "content": "@hotelmind is the pool open?"})
    yield _Stray({"type": "WHATSAPP", "content": "Thanks!"}, "API")
    addresses = {"from": "desk@agency.example", "to": ["stay@hotelmind.example", "groups@hotelmind.example"]}
    yield _Stray({"type": "EMAIL", **addresses, "subject": "Group of 12", "content": "See below\n\n> list"}, "EXTERNAL")
    yield _Stray({"type": "EMAIL", **addresses, "cc": [], "content": "Fwd: see above"}, "INTERNAL")
    yield _custom_message("TEXT", {"text": "Room service, please"}, {"value": "DELIVERED"})
    files = [{"fileName": f"passport, page {n}.png", "url": f"https://files.example/{day}/{n}"} for n in (1, 2)]
    status = {"value": "FAILED", "details": "file too large"}
    yield _custom_message("FILES", {"caption": "My passport", "files": files}, status)
    yield _quick_reply(seed, day)


def _custom_message(kind: str, content: Content, status: Content) -> _Stray:
    """On custom channels `content` is an object; everywhere else it is a text."""
    where = {"customChannelId": _CUSTOM_CHANNEL, "companyAddress": "hotelmind", "customerAddress": "room-12"}
    group = {"groupId": "g1", "groupName": "Corridor, 2nd floor"} if kind == "FILES" else {}
    return _Stray({"type": kind, **where, "sessionId": "s-1", **group, "content": content, "status": status}, "API")


def _quick_reply(seed: int, day: date) -> _Stray:
    choice = quick_replies()[0]
    data = {
        "quickReplyRequest": {"options": quick_replies()},
        "selectedOptionId": choice["id"],
        "requestMessageId": opaque_id(seed, "stray", day, "request"),
    }
    content = {"type": "CHAT_MESSAGE", "messageType": "QUICK_REPLY_RESPONSE", "sessionId": opaque_id(seed, day)}
    return _Stray({**content, "content": choice["label"], "messageData": data})


def _activities(at: int) -> Iterator[Content]:
    """What other programs write on a customer's timeline, outside of any conversation."""
    link = {"url": "https://survey.example/1?a=b&c=d", "text": "Open"}
    survey = {"title": "CSAT", "body": "<b>5</b> of 5", "sourceName": "Survey, Inc.", "link": link}
    times = {"occurredAt": item_time(at - 60_000), "receivedAt": fine_time(at)}
    yield {"type": "CUSTOMER_ACTIVITY", "activityType": "SURVEY", **survey, "expandByDefault": True, **times}
    yield {"type": "CUSTOMER_ACTIVITY", "activityType": "ISSUE", "title": "Refund asked for", "expandByDefault": False}
    yield {"type": "CUSTOMER_ACTIVITY", "activityType": "EMAIL", "title": "Newsletter", "link": {}, **times}
    yield {"type": "CUSTOMER_ACTIVITY", "activityType": "SMS", "body": "Your code is <i>1234</i>"}

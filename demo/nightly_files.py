"""The files of one night's export: what happened on one UTC day, as it stood when the day was over.

A file depends on the seed, the day and the size of the desk alone, so it is the same however often it is fetched.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from demo.call_items import call_items
from demo.contacts import DAY
from demo.conversation_items import conversation_items
from demo.conversation_stories import LONGEST_LIFE
from demo.conversations import Conversation
from demo.customer_records import changed_customers, customer_record
from demo.customers import regular_of
from demo.desk import Desk, midnight
from demo.directory import agents_on, topics_on
from demo.items import Item
from demo.message_items import message_items
from demo.scene import Scene
from demo.stray_items import stray_items

_UTC = ZoneInfo("UTC")
_PIECE_CHARACTERS = 64 * 1024
Line = dict[str, Any]


def file_pieces(desk: Desk, day: date, file_name: str) -> Iterator[bytes]:
    """A file as JSON lines in UTF-8, piece by piece."""
    piece: list[str] = []
    size = 0
    for line in _LINES[file_name](desk, day):
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        piece.append(text)
        size += len(text)
        if size >= _PIECE_CHARACTERS:
            yield "".join(piece).encode()
            piece, size = [], 0
    if piece:
        yield "".join(piece).encode()


def _item_lines(desk: Desk, day: date) -> Iterator[Line]:
    start = midnight(day, _UTC)
    for conversation in _touched(desk, day):
        for item in _items(desk.seed, conversation, start, start + DAY):
            yield item.line()
    for item in stray_items(desk.seed, day):
        yield item.line()


def _items(seed: int, conversation: Conversation, start: int, end: int) -> Iterator[Item]:
    yield from conversation_items(seed, conversation, start, end)
    for contact in conversation.contacts:
        if contact.queued_at < end and contact.ended_at >= start:
            scene = Scene(seed, contact, start, end)
            yield from call_items(scene) if contact.channel.name == "PHONE_CALL" else message_items(scene)


def _touched(desk: Desk, day: date) -> Iterator[Conversation]:
    """The conversations to which something happened on the day."""
    start = midnight(day, _UTC)
    for conversation in desk.conversations(start=start - LONGEST_LIFE, end=start + DAY):
        if conversation.settled_at < start:
            continue
        moments = [event.at for event in conversation.events]
        moments += [event.at for contact in conversation.contacts for event in contact.events]
        if any(start <= moment < start + DAY for moment in moments):
            yield conversation


def _customer_lines(desk: Desk, day: date) -> Iterator[Line]:
    """Every customer once who had to do with an item of the day, or whose record was changed."""
    words = [conversation.first_contact.customer for conversation in _touched(desk, day)]
    words += [regular_of(day - timedelta(days=1)), *changed_customers(day)]
    for word in dict.fromkeys(words):
        yield customer_record(desk.seed, word, day)


_LINES: Mapping[str, Callable[[Desk, date], Iterator[Line]]] = {
    "agents.jsonl": lambda desk, day: iter(agents_on(day)),
    "conversation_items.jsonl": _item_lines,
    "customers.jsonl": _customer_lines,
    "topics.jsonl": lambda desk, day: iter(topics_on(day)),
}
FILES = tuple(_LINES)

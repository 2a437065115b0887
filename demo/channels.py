"""The channels of the support desk, and how fast each goes."""

from __future__ import annotations

from typing import NamedTuple

HOUR = 3600


class Channel(NamedTuple):
    """A channel and its pace; every pair is the shortest and the longest time in seconds."""

    name: str
    filter_word: str
    entry_point: str
    sla_seconds: int
    accept: tuple[float, float]
    respond: tuple[float, float]
    reply: tuple[float, float]
    close: tuple[float, float]
    most_rounds: int
    # The part of the time between accepting and ending in which an agent really works on the contact.
    worked: tuple[float, float]


# No contact may live for 23 hours, the shortest day there is: one that waits when a day ends has ended when the next
# one does.
_TABLE = (
    # name, filter word, entry point, service level, accept, respond, reply, close, rounds, worked
    ("PHONE_CALL", "voice", "+12025550142", 60, (4, 150), (0, 0), (0, 0), (60, 1500), 0, (1, 1)),
    ("CHAT", "chat", "Chat, bottom right", 120, (5, 240), (5, 60), (15, 180), (10, 300), 6, (0.4, 0.9)),
    ("SMS", "sms", "+12025550143", 900, (30, 1800), (30, 600), (60, 1800), (60, HOUR), 4, (0.05, 0.2)),
    ("WHATSAPP", "whatsapp", "+12025550144", 900, (30, 1800), (30, 600), (60, 1800), (60, HOUR), 4, (0.05, 0.2)),
    ("FB_MESSENGER", "fbMessenger", "HotelMind", 1800, (60, HOUR), (60, 900), (60, 1800), (60, HOUR), 3, (0.05, 0.2)),
    (
        "EMAIL",
        "email",
        "stay@hotelmind.example",
        4 * HOUR,
        (300, 6 * HOUR),
        (120, HOUR),
        (300, HOUR),
        (60, 1800),
        2,
        (0.02, 0.1),
    ),
)
CHANNELS = {row[0]: Channel(*row) for row in _TABLE}
CHANNEL_WEIGHTS = (30, 20, 10, 8, 7, 25)  # of a hundred contacts, in the order of CHANNELS

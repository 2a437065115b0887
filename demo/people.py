"""Invented people: the support desk's agents, and names and addresses for guests and customers.

A guest's name and e-mail address depend on the guest's number alone, so that a customer of the support desk can be
the same person without either of the two sources knowing the other.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from demo.chance import opaque_id, roll


class Agent(NamedTuple):
    """One agent of the support desk."""

    agent_id: str
    name: str


class Person(NamedTuple):
    """One guest as the hotel application would write them down."""

    full_name: str
    email: str | None
    phone: str | None
    country: str


# Names as people really type them: commas, quotes, accents, pipes, and two spaces where one was meant.
_AGENT_NAMES = (
    "Robin  Example",
    "Müller, Jürgen",
    'Kim "KJ" Jensen',
    "Siobhán O'Brien",
    "Ana Reis | Nights",
    "Nguyễn Thị Mai",
    "Łukasz Wójcik",
    "Aiko Sato",
    "Zoë van der Berg",
    "Tomás Ibáñez",
    "Priya Raman",
    "Grace Hill",
)
_FIRST_NAMES = (
    "Amélie Bo Chloé Dmitri Elif Farid Greta Håkon Inês Jamal Kenji Lucía Mei Noor Oscar Paula Quinn Rūta".split()
)
_LAST_NAMES = "Abara Brandt Çelik Duarte Eriksen Fischer García Huang Ito Jansson Kowalska López Moreau Nkosi".split()
_COUNTRIES = "US PT BR JP DE GB ZA MX FR CA".split()

AGENTS = tuple(Agent(opaque_id("agent", name), name) for name in _AGENT_NAMES)


def invent_name(chance: random.Random) -> str:
    """Somebody's first and last name."""
    return f"{chance.choice(_FIRST_NAMES)} {chance.choice(_LAST_NAMES)}"


def guest_name(number: int) -> str:
    """The name of guest `number`, in the hotels' books and at the support desk."""
    return invent_name(roll("guest", number))


def guest_email(number: int) -> str:
    """The e-mail address of guest `number`, if the guest has given one. The domain is one that nobody has."""
    return f"guest{number}@mail.example"


def invent_person(chance: random.Random, *, number: int) -> Person:
    """Guest `number` as the hotels write them down; the telephone numbers are ones that nobody has."""
    email = guest_email(number) if chance.random() < 0.95 else None
    phone = f"+1-202-555-{chance.randint(100, 199):04d}" if chance.random() < 0.8 else None
    return Person(guest_name(number), email, phone, chance.choice(_COUNTRIES))

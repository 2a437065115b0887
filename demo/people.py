"""Invented people: the support desk's agents, and names and addresses for guests."""

from __future__ import annotations

import random
from typing import NamedTuple

from demo.chance import opaque_id


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


def invent_person(chance: random.Random, *, number: int) -> Person:
    """A person; `number` keeps addresses apart. Domain and telephone numbers are ones nobody has."""
    first, last = chance.choice(_FIRST_NAMES), chance.choice(_LAST_NAMES)
    email = f"guest{number}@mail.example" if chance.random() < 0.95 else None
    phone = f"+1-202-555-{chance.randint(100, 199):04d}" if chance.random() < 0.8 else None
    return Person(f"{first} {last}", email, phone, chance.choice(_COUNTRIES))

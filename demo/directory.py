"""Who and what the support desk consists of on a day: the whole lists of agents, topics, inboxes and teams."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from demo.chance import opaque_id, roll
from demo.people import AGENTS, Agent, invent_name
from demo.places import ALL_INBOXES, SPARE_INBOX
from demo.topics import TOPICS

# Every third day an agent joins for the season, and leaves after a month.
JOINS_EVERY_DAYS = 3
SEASON_OF_AGENTS_DAYS = 30

Entry = dict[str, Any]


def seasonal_agents(day: date) -> list[Agent]:
    """The agents of the season, who write notes and take no contacts; the last to join comes last."""
    last = (day.toordinal() - 1) // JOINS_EVERY_DAYS
    return [_seasonal_agent(turn) for turn in range(last - SEASON_OF_AGENTS_DAYS // JOINS_EVERY_DAYS + 1, last + 1)]


def _seasonal_agent(turn: int) -> Agent:
    return Agent(opaque_id("seasonal agent", turn), invent_name(roll("seasonal agent", turn)))


def agents_on(day: date) -> list[Entry]:
    """All agents of a day."""
    agents = [(agent, f"agent{place}") for place, agent in enumerate(AGENTS, start=1)]
    agents += [(agent, f"season-{agent.agent_id[-6:].lower()}") for agent in seasonal_agents(day)]
    return [
        {"id": agent.agent_id, "name": agent.name, "emailAddress": f"{mailbox}@hotelmind.example"}
        for agent, mailbox in agents
    ]


def topics_on(day: date) -> list[Entry]:
    """All topics of a day, disabled ones too; only a nested one names its parent."""
    return [
        {
            "id": topic.topic_id,
            "name": topic.name,
            "disabled": topic.is_disabled(day),
            **({"parentId": topic.parent.topic_id} if topic.parent else {}),
        }
        for topic in TOPICS
    ]


def inboxes_on(day: date) -> list[Entry]:
    """All inboxes; the spare one is closed and opened again every four days."""
    return [
        {
            "id": inbox.inbox_id,
            "name": inbox.name,
            "disabled": inbox == SPARE_INBOX and day.toordinal() // 4 % 2 == 0,
        }
        for inbox in ALL_INBOXES
    ]


def teams_on(day: date) -> list[Entry]:
    """All teams; the last one has no agents yet, and nobody has described it."""
    members = {"Days": AGENTS[::2], "Nights, weekends": AGENTS[1::2], "Season": seasonal_agents(day), "Quality": ()}
    return [
        {
            "id": opaque_id("team", name),
            "name": name,
            **({"description": f"{name} of the support desk"} if agents else {}),
            "agentIds": [agent.agent_id for agent in agents],
        }
        for name, agents in members.items()
    ]


# By the last part of their path.
DIRECTORY: Mapping[str, Callable[[date], list[Entry]]] = {
    "agents": agents_on,
    "topics": topics_on,
    "inboxes": inboxes_on,
    "teams": teams_on,
}

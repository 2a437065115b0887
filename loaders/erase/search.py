"""Where a person is: the rows that are theirs, what belongs to them, and texts that mention them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loaders.erase.declaration import TEXT
from loaders.erase.person import EMAIL, Person
from loaders.erase.relation import JSON, ROW_ID, Relation

Query = Callable[[str, Mapping[str, Any] | None], list[tuple[Any, ...]]]
# The ids of what belongs to the person, by the source that knows them and what they are ids of.
Things = dict[tuple[str, str], set[str]]


@dataclass(frozen=True)
class Condition:
    """SQL with its parameters; `false` where nothing can match."""

    sql: str = "false"
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """What a relation has of a person: rows to remove, and by column the texts of other rows that mention them.

    `untagged` are mentions in columns of which the YAML does not say that they may have any.
    """

    relation: Relation
    condition: Condition
    row_count: int
    mentions: Mapping[str, int]
    untagged: Mapping[str, int]

    @property
    def is_touched(self) -> bool:
        return bool(self.row_count or self.mentions)


@dataclass(frozen=True)
class Finding:
    """All that was found, and in `values` every identifier that it was found by."""

    person: Person
    found: Sequence[Found]
    values: frozenset[str] = field(repr=False)


def find(query: Query, relations: Sequence[Relation], person: Person) -> Finding:
    """Everything that relations have of a person; reads only."""
    things = _things(query, relations, person)
    found = [_found(query, relation, person, things) for relation in relations]
    return Finding(person, found, frozenset(person.values.values()).union(*things.values()))


def _things(query: Query, relations: Sequence[Relation], person: Person) -> Things:
    """Followed from row to row until nothing more is found."""
    things: Things = defaultdict(set)
    known = -1
    while known < (known := sum(map(len, things.values()))):
        for relation in relations:
            condition = _rows(relation, person, things)
            for column, meaning in (relation.things or {}).items() if condition.parameters else ():
                sql = f'select distinct cast("{column}" as varchar) from {relation.sql} where {condition.sql}'
                values = {value for (value,) in query(sql, condition.parameters) if value and value.strip()}
                things[str(relation.source), meaning] |= values
    return things


def _rows(relation: Relation, person: Person, things: Things) -> Condition:
    """The rows that are the person's, or of something that belongs to them."""
    parts: list[str] = []
    parameters: dict[str, Any] = {}
    for column, meaning in relation.meanings.items():
        text = f'cast("{column}" as varchar)'
        if value := person.value(meaning):
            parts.append(f"{f'lower(trim({text}))' if meaning == EMAIL else text} = ${meaning}")
            parameters[meaning] = value
        if meaning == JSON:
            for number, mention in enumerate(person.mentions()):
                parts.append(f"strpos(lower({text}), $quoted_{number}) > 0")
                parameters[f"quoted_{number}"] = f'"{mention.needle}"'
            for number, thing in enumerate(_quoted_ids(relation, things)):
                parts.append(f"strpos({text}, $thing_{number}) > 0")
                parameters[f"thing_{number}"] = thing
        if ids := _ids(relation, meaning, things):
            parts.append(f"{text} = any($ids_of_{meaning})")
            parameters[f"ids_of_{meaning}"] = sorted(ids)
    return Condition(f"({' or '.join(parts)})", parameters) if parts else Condition()


def _ids(relation: Relation, meaning: str, things: Things) -> set[str]:
    """A source's ids mean something in its own tables, and in what is made of all of them."""
    return {
        value
        for (source, name), values in things.items()
        if name == meaning and relation.source in (None, source)
        for value in values
    }


def _quoted_ids(relation: Relation, things: Things) -> list[str]:
    """A source's ids as its JSON has them; not those that are mere numbers, which may be anything there."""
    return sorted(
        f'"{value}"'
        for (source, name), values in things.items()
        if source == relation.source and name != ROW_ID
        for value in values
        if not value.isdigit()
    )


def _found(query: Query, relation: Relation, person: Person, things: Things) -> Found:
    rows = _rows(relation, person, things)
    near = {f"near_{number}": one.needle for number, one in enumerate(person.mentions())}
    texts = [column for column, is_text in relation.columns.items() if is_text and near]
    if not rows.parameters and not texts:
        return Found(relation, rows, 0, {}, {})
    counts = [f"count(*) filter (where {rows.sql})"]
    counts += [f"count(*) filter (where not coalesce({rows.sql}, false) and {_is_near(one, near)})" for one in texts]
    parameters = {**rows.parameters, **(near if texts else {})}
    counted = query(f"select {', '.join(counts)} from {relation.sql}", parameters)[0]
    mentions = {}
    for column, count in zip(texts, counted[1:], strict=True):
        # What is near is looked at here: it is little, and engines are slow to compare every text with a pattern.
        if count and (found := _count_mentions(query, relation, column, rows, near, person)):
            mentions[column] = found
    tagged = {column for column in mentions if relation.meanings.get(column) in (TEXT, JSON)}
    return Found(
        relation,
        rows,
        counted[0],
        {column: count for column, count in mentions.items() if column in tagged},
        {column: count for column, count in mentions.items() if column not in tagged},
    )


def _is_near(column: str, near: Mapping[str, str]) -> str:
    return f"""({" or ".join(f'strpos(lower("{column}"), ${name}) > 0' for name in near)})"""


def _count_mentions(
    query: Query, relation: Relation, column: str, rows: Condition, near: Mapping[str, str], person: Person
) -> int:
    found = query(
        f'select "{column}", count(*) from {relation.sql} where not coalesce({rows.sql}, false)'
        f" and {_is_near(column, near)} group by 1",
        {**rows.parameters, **near},
    )
    patterns = [re.compile(one.pattern) for one in person.mentions()]
    return sum(count for text, count in found if any(one.search(text) for one in patterns))

"""A person by what they are known by, and how a text mentions them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

CUSTOMER_ID, GUEST_ID, EMAIL = IDENTIFIERS = ("customer_id", "guest_id", "email")
ERASED = "(erased)"

# What stands before and behind an identifier in a text, also as an escape of JSON or of an address. PostgreSQL and RE2
# (DuckDB, Arrow) read it alike.
_BEFORE = r"(^|\\(?:u[0-9a-fA-F]{4}|[a-z])|%[0-9a-fA-F]{2}|[^A-Za-z0-9._%+-])"
_BEHIND = r"($|[^A-Za-z0-9._-]|[.](?:$|[^A-Za-z0-9]))"
# What a mention is replaced by.
REPLACEMENT = rf"\1{ERASED}\2"


@dataclass(frozen=True)
class Mention:
    """How an identifier stands in a text: `needle`, lower case, is in every such text, and quickly found."""

    needle: str = field(repr=False)
    pattern: str = field(repr=False)


@dataclass(frozen=True)
class Person:
    """The identifiers that were given, by their names; at least one."""

    values: Mapping[str, str] = field(repr=False)

    def value(self, identifier: str) -> str | None:
        """As it is compared: an e-mail address in lower case, anything else as it is."""
        value = self.values.get(identifier)
        return value.lower() if value and identifier == EMAIL else value

    def mentions(self) -> list[Mention]:
        """Of the identifiers that are unmistakable in any text: a guest's number is not."""
        return [
            Mention(value.lower(), f"{'(?i)' if name == EMAIL else ''}{_BEFORE}{re.escape(value)}{_BEHIND}")
            for name in (CUSTOMER_ID, EMAIL)
            if (value := self.value(name))
        ]

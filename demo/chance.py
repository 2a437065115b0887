"""Chance that falls the same way on every machine, so that invented data can be invented again."""

from __future__ import annotations

import base64
import hashlib
import random


def roll(*about: object) -> random.Random:
    """A source of chance that depends on `about` alone."""
    return random.Random(_text(about))  # noqa: S311 - it invents demo data, it keeps no secret


def opaque_id(*about: object) -> str:
    """An id as Gladly's look: 22 characters of URL-safe base64, so some begin with `-` or `_`."""
    digest = hashlib.sha256(_text(about).encode()).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def _text(about: tuple[object, ...]) -> str:
    return "|".join(map(str, about))

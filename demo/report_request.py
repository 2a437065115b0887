"""What a report was asked for: the JSON body of POST /api/v1/reports, checked as Gladly checks it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from demo.channels import CHANNELS
from demo.desk import midnight
from demo.places import ALL_INBOXES, Inbox

_UTC = ZoneInfo("UTC")
_DATE = re.compile(r"(19|20)\d{2}-\d{2}-\d{2}")
_TIME = re.compile(rf"{_DATE.pattern}T\d{{2}}:\d{{2}}(Z|[+-]\d{{2}}:\d{{2}})")
_LEVELS = ("halfHourly", "daily", "weekly", "monthly", "quarterly")
_OTHER_CHANNEL_WORDS = ("allChannels", "twitter", "instagramDirect")
_CHANNEL_WORDS = (*_OTHER_CHANNEL_WORDS, *(channel.filter_word for channel in CHANNELS.values()))


class RefusedError(Exception):
    """A request that Gladly answers with status 400; `attr` is the field to blame."""

    def __init__(self, attr: str, code: str, detail: str) -> None:
        super().__init__(detail)
        self.attr, self.code, self.detail = attr, code, detail


@dataclass(frozen=True)
class Terms:
    """What one metric set lets a request say; `filters` None: nothing about filters is checked."""

    filters: Collection[str] | None
    takes_times: bool = False


@dataclass(frozen=True)
class ReportRequest:
    """A request that can be answered. `start` and `end` are moments, `end` just after the last one included."""

    metric_set: str
    start: int
    end: int
    zone: ZoneInfo
    file_name: str
    channel_word: str = "allChannels"
    inboxes: tuple[Inbox, ...] = ()


class _Window(NamedTuple):
    start: int
    end: int
    zone: ZoneInfo
    label: str


def read_request(body: bytes, *, terms: Mapping[str, Terms], default_zone: ZoneInfo) -> ReportRequest:
    """The request in a JSON body; raises RefusedError, for the first thing that is wrong."""
    asked = _read_object(body)
    metric_set = _metric_set(asked.get("metricSet"), terms)
    if asked.get("aggregationLevel") not in (None, *_LEVELS):
        raise RefusedError("aggregationLevel", "invalid", f"must be one of {', '.join(_LEVELS)}")
    if "startAtTime" in asked or "endAtTime" in asked:
        window = _times(asked, takes_times=terms[metric_set].takes_times)
    else:
        window = _dates(asked, default_zone)
    channel_word, inboxes = _filters(asked.get("filters") or {}, terms[metric_set].filters)
    file_name = f"{metric_set}-{window.label}.csv"
    return ReportRequest(metric_set, window.start, window.end, window.zone, file_name, channel_word, inboxes)


def _read_object(body: bytes) -> dict[str, Any]:
    try:
        asked = json.loads(body)
    except ValueError:
        asked = None
    if not isinstance(asked, dict):
        raise RefusedError("", "invalid", "the body must be a JSON object")
    return asked


def _metric_set(asked: Any, terms: Mapping[str, Terms]) -> str:
    if not asked or not isinstance(asked, str):
        raise RefusedError("metricSet", "blank", "can't be blank")
    # Gladly takes a lower-case first letter too.
    name: str = asked[0].upper() + asked[1:]
    if name not in terms:
        raise RefusedError("metricSet", "invalid", f"unknown metric set {asked}")
    return name


def _dates(asked: dict[str, Any], default_zone: ZoneInfo) -> _Window:
    first, last = (_moment(asked, attr, _DATE, example="2031-04-05").date() for attr in ("startAt", "endAt"))
    zone = _zone(asked.get("timezone")) or default_zone
    if last < first:
        raise RefusedError("startAt", "invalid", "must not be after endAt")
    after = midnight(last + timedelta(days=1), zone)
    return _Window(midnight(first, zone), after, zone, f"{first:%Y%m%d}-{last:%Y%m%d}-Daily")


def _zone(name: Any) -> ZoneInfo | None:
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    # ZoneInfo looks the name up as a file: a folder's name and an odd path fail in ways of their own.
    except (KeyError, TypeError, ValueError, OSError):
        raise RefusedError("timezone", "invalid", f"unknown time zone {name}") from None


def _times(asked: dict[str, Any], *, takes_times: bool) -> _Window:
    if not takes_times:
        raise RefusedError("startAtTime", "invalid", "this metric set takes startAt and endAt")
    for attr in ("startAt", "endAt", "timezone"):
        if asked.get(attr) is not None:
            raise RefusedError(attr, "present", "must be absent when startAtTime and endAtTime are given")
    first, last = (
        _moment(asked, attr, _TIME, example="2031-04-05T09:30Z").astimezone(_UTC)
        for attr in ("startAtTime", "endAtTime")
    )
    if last < first:
        raise RefusedError("startAtTime", "invalid", "must not be after endAtTime")
    # The last minute is included, like the last day of a window of dates.
    after = int((last + timedelta(minutes=1)).timestamp()) * 1000
    return _Window(int(first.timestamp()) * 1000, after, _UTC, f"{first:%Y%m%dT%H%MZ}-{last:%Y%m%dT%H%MZ}")


def _moment(asked: dict[str, Any], attr: str, shape: re.Pattern[str], *, example: str) -> datetime:
    text = asked.get(attr)
    if not text:
        raise RefusedError(attr, "blank", "can't be blank")
    try:
        if shape.fullmatch(str(text)):
            return datetime.fromisoformat(str(text))
    except ValueError:
        pass  # the right shape, but no such day
    raise RefusedError(attr, "invalid", f"must look like {example}")


def _filters(asked: Any, allowed: Collection[str] | None) -> tuple[str, tuple[Inbox, ...]]:
    if not isinstance(asked, dict):
        raise RefusedError("filters", "invalid", "must be an object")
    if allowed is None:
        return "allChannels", ()
    for name in asked:
        if name not in allowed:
            raise RefusedError(f"filters.{name}", "invalid", "this metric set does not take the filter")
    channel_word = asked.get("channel") or "allChannels"
    if channel_word not in _CHANNEL_WORDS:
        raise RefusedError("filters.channel", "invalid", f"must be one of {', '.join(_CHANNEL_WORDS)}")
    inboxes = {inbox.inbox_id: inbox for inbox in ALL_INBOXES}
    ids = asked.get("inboxes") or []
    if not isinstance(ids, list) or any(str(inbox_id) not in inboxes for inbox_id in ids):
        raise RefusedError("filters.inboxes", "present", "must be ids of existing inboxes")
    return channel_word, tuple(inboxes[inbox_id] for inbox_id in ids)

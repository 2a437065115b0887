"""Which days to ask of a report: calendar days in the report's own zone, both ends included.

A watermark is the last day of the last loaded window. Days are dates, never moments: a lookback of 30 days is 30
calendar days also where a clock change makes one of them 23 hours long.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from loaders.errors import SettingsError

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Window:
    """First and last calendar day asked of a report, both included; SettingsError when they stand the wrong way."""

    start: date
    end: date

    def __post_init__(self) -> None:
        if self.start > self.end:
            raise SettingsError(f"window starts on {self.start}, after its end {self.end}; swap the two dates")

    def __str__(self) -> str:
        return self.start.isoformat() if self.days == 1 else self.batch_id

    @property
    def batch_id(self) -> str:
        """'<start>..<end>', also for one day; the batch of a daily report is named by its day alone."""
        return f"{self.start}..{self.end}"

    @property
    def days(self) -> int:
        return (self.end - self.start).days + 1

    def halves(self) -> tuple[Window, Window]:
        """The same days as two windows, the earlier one never the longer; ValueError for a single day."""
        if self.days == 1:
            raise ValueError(f"{self} is one day and has no halves")
        middle = self.start + timedelta(days=self.days // 2)
        return Window(self.start, middle - ONE_DAY), Window(middle, self.end)


def default_end(timezone: str, now: datetime) -> date:
    """Yesterday in the report's zone, the last day that is over there; `now` carries its own zone."""
    if now.tzinfo is None:
        raise ValueError("now has no time zone")
    try:
        zone = ZoneInfo(timezone)
    except (LookupError, ValueError, OSError) as error:
        raise SettingsError(f"timezone {timezone!r} is unknown; use an IANA name such as UTC") from error
    return now.astimezone(zone).date() - ONE_DAY


def rolling_window(*, end: date, lookback_days: int, watermark: date | None) -> Window:
    """The window of a report whose rows still change: `end - lookback_days` to `end`, so 30 gives 31 days.

    After a pause it starts `lookback_days` before the day after the watermark: what was open then is asked for again.
    """
    start = _days_before(end, _at_least(0, lookback_days=lookback_days))
    if watermark is not None:
        start = min(start, _days_before(watermark + ONE_DAY, lookback_days))
    return Window(start, end)


def daily_windows(*, end: date, watermark: date | None, initial_days: int, settle_days: int) -> list[Window]:
    """One window for each day due, oldest first: those after the watermark and the last `settle_days` before it again.

    Without a watermark the last `initial_days` days up to `end`. Empty only where the watermark lies so far after
    `end` that no day is due.
    """
    if watermark is None:
        start = _days_before(end, _at_least(1, initial_days=initial_days) - 1)
    else:
        start = _days_before(watermark + ONE_DAY, _at_least(0, settle_days=settle_days))
    return _each_day(start, end)


def explicit_windows(*, start: date, end: date, kind: Literal["rolling", "daily"]) -> list[Window]:
    """The windows for dates given by hand: one for a rolling report, one a day for a daily report."""
    window = Window(start, end)
    return [window] if kind == "rolling" else _each_day(window.start, window.end)


def _each_day(start: date, end: date) -> list[Window]:
    days = (start + timedelta(days=number) for number in range((end - start).days + 1))
    return [Window(day, day) for day in days]


def _days_before(day: date, days: int) -> date:
    try:
        return day - timedelta(days=days)
    except OverflowError as error:
        raise SettingsError(f"{days} days before {day} is before the calendar; ask for fewer days") from error


def _at_least(least: int, **setting: int) -> int:
    """The value of the one setting given; SettingsError with its name when it is below `least`."""
    ((name, value),) = setting.items()
    if value < least:
        raise SettingsError(f"{name} is {value}, the least is {least}")
    return value

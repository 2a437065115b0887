"""What a Gladly report may declare in the sources YAML, and which days of it are due."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from loaders.attempt import package_root
from loaders.batch import moment_text
from loaders.errors import SettingsError
from loaders.gladly.window import ONE_DAY, Window, daily_windows, default_end, explicit_windows, rolling_window
from loaders.ledger import Progress
from loaders.packages import read_options
from loaders.sources import Option, SourceTable, read_sources

OPTIONS = {
    "metric_set": Option(str),
    "window": Option(str, ("rolling", "daily", "whole", "export")),
    "file": Option(str, ("agents.jsonl", "conversation_items.jsonl", "customers.jsonl", "topics.jsonl")),
    "list": Option(str, ("agents", "topics", "inboxes", "teams")),
    "lookback_days": Option(int),
    "initial_days": Option(int),
    "settle_days": Option(int),
    "timezone": Option(str),
    "required_columns": Option(list),
    "nested": Option(dict),
    "requests_per_minute": Option((int, float, type(None))),
    "row_cap": Option((int, type(None))),
}


@dataclass(frozen=True)
class Dates:
    """What the command line says about days; None where it says nothing."""

    start: date | None = None
    end: date | None = None
    lookback_days: int | None = None


def read_reports(project: Path, *, only: Sequence[str] = ()) -> list[SourceTable]:
    """The declared reports; SettingsError names everything that is wrong with them at once."""
    tables = read_sources(project, "gladly", OPTIONS, only=only)
    made = [one for one in tables if "nested" in one.meta or "__" in one.name]
    reports = [one for one in tables if one not in made]
    problems = [f"--only {one}: is made by dbt, of {package_root(str(one))}_raw; load that" for one in made if only]
    problems += [problem for one in made for problem in _nested_problems(one)]
    problems += [f"{one.path.name}: {one}: no {key}" for one in reports for key in _needed(one) if key not in one.meta]
    # Without a column to look for, an error text in the answer would pass for a report without rows.
    problems += [
        f"{one.path.name}: {one}: no record_key and no required_columns"
        for one in reports
        if not required_columns(one) and one.meta.get("window") != "export"
    ]
    if problems:
        raise SettingsError("; ".join(problems))
    return reports


def _nested_problems(table: SourceTable) -> list[str]:
    if "nested" not in table.meta:
        return []
    try:
        read_options(table.name, table.meta["nested"], table.record_key)
    except SettingsError as error:
        return [f"{table.path.name}: {table}: nested: {error}"]
    return []


def _needed(report: SourceTable) -> list[str]:
    return ["window", {"whole": "list", "export": "file"}.get(str(report.meta.get("window")), "metric_set")]


def required_columns(report: SourceTable) -> list[str]:
    """The columns without which an answer is not this report."""
    return [*report.record_key, *report.meta.get("required_columns", [])]


def due_windows(report: SourceTable, progress: Progress, dates: Dates, now: datetime) -> list[Window] | list[None]:
    """The windows to ask for, oldest first: by the command line's dates, else by the watermark; None: a whole list."""
    meta = report.meta
    if meta["window"] == "whole":
        return [None]
    yesterday = default_end(meta.get("timezone", "UTC"), now)
    end = dates.end or yesterday
    # A day that has not come would be loaded as an empty one, and the watermark would stand beyond it.
    if end > yesterday + ONE_DAY:
        raise SettingsError(
            f"{report}: --end-date {end} has not come; the last day asked for may be {yesterday + ONE_DAY}"
        )
    if dates.start:
        return explicit_windows(start=dates.start, end=end, kind=meta["window"])
    # A day is stored as its midnight UTC, whatever the report's zone.
    watermark = progress.watermark.astimezone(UTC).date() if progress.watermark else None
    if meta["window"] == "rolling":
        lookback = meta.get("lookback_days", 30) if dates.lookback_days is None else dates.lookback_days
        return [rolling_window(end=end, lookback_days=lookback, watermark=watermark)]
    return daily_windows(
        end=end,
        watermark=watermark,
        initial_days=meta.get("initial_days", 30),
        settle_days=meta.get("settle_days", 2),
    )


def check_dates(reports: Sequence[SourceTable], dates: Dates, now: datetime) -> None:
    """SettingsError for days that none can ask of a report, before any report is asked for."""
    for report in reports:
        if report.meta["window"] != "export":
            due_windows(report, Progress(None), dates, now)


def batch_id(report: SourceTable, window: Window | None, extracted_at: datetime) -> str:
    """A rolling window is named by both its ends, a day of a daily report by itself, a whole list by its moment."""
    if window is None:
        return moment_text(extracted_at)
    return window.batch_id if report.meta["window"] == "rolling" else window.start.isoformat()

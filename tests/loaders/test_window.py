from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from loaders.errors import SettingsError
from loaders.gladly.window import Window, daily_windows, default_end, explicit_windows, rolling_window

CASES = Path(__file__).parent / "cases"
WINDOWS = json.loads((CASES / "report_windows.json").read_text())


def day(text: str) -> date:
    return date.fromisoformat(text)


def days(windows: list[Window]) -> list[str]:
    return [str(window) for window in windows]


@pytest.mark.parametrize("case", WINDOWS, ids=lambda case: f"{case['timezone']} {case['lookback_days']} days")
def test_a_rolling_window_counts_calendar_days_also_over_a_clock_change(case: dict[str, str | int]) -> None:
    window = rolling_window(end=day(str(case["end"])), lookback_days=int(case["lookback_days"]), watermark=None)
    assert (window.start.isoformat(), window.end.isoformat()) == (case["startAt"], case["endAt"])


def test_a_lookback_of_30_gives_31_calendar_days() -> None:
    assert rolling_window(end=day("2026-01-31"), lookback_days=30, watermark=None).days == 31


@pytest.mark.parametrize(
    ("watermark", "start"),
    [
        pytest.param("2026-03-30", "2026-03-01", id="loaded yesterday"),
        pytest.param("2026-03-31", "2026-03-01", id="loaded today"),
        pytest.param("2026-04-20", "2026-03-01", id="loaded beyond the end asked for"),
        pytest.param("2026-03-29", "2026-02-28", id="one day missed"),
        pytest.param("2026-01-31", "2026-01-02", id="two months missed"),
    ],
)
def test_a_rolling_window_reaches_back_over_a_pause(watermark: str, start: str) -> None:
    window = rolling_window(end=day("2026-03-31"), lookback_days=30, watermark=day(watermark))
    assert window == Window(day(start), day("2026-03-31"))


@pytest.mark.parametrize(
    ("watermark", "initial_days", "settle_days", "expected"),
    [
        pytest.param(None, 3, 2, ["2026-02-27", "2026-02-28", "2026-03-01"], id="first run"),
        pytest.param("2026-02-28", 30, 2, ["2026-02-27", "2026-02-28", "2026-03-01"], id="a day later"),
        pytest.param("2026-03-01", 30, 2, ["2026-02-28", "2026-03-01"], id="the same day again"),
        pytest.param("2026-02-26", 30, 0, ["2026-02-27", "2026-02-28", "2026-03-01"], id="after a pause"),
        pytest.param("2026-03-01", 30, 0, [], id="nothing settles and nothing is due"),
    ],
)
def test_daily_windows_follow_the_watermark_and_ask_again_for_days_that_settle(
    watermark: str | None, initial_days: int, settle_days: int, expected: list[str]
) -> None:
    windows = daily_windows(
        end=day("2026-03-01"),
        watermark=day(watermark) if watermark else None,
        initial_days=initial_days,
        settle_days=settle_days,
    )
    assert days(windows) == expected


def test_explicit_dates_are_one_rolling_window_with_both_ends() -> None:
    windows = explicit_windows(start=day("2026-01-30"), end=day("2026-02-02"), kind="rolling")
    assert days(windows) == ["2026-01-30..2026-02-02"]


def test_explicit_dates_are_each_day_of_a_daily_report_with_both_ends() -> None:
    windows = explicit_windows(start=day("2026-01-30"), end=day("2026-02-02"), kind="daily")
    assert days(windows) == ["2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02"]


@pytest.mark.parametrize("kind", ["rolling", "daily"])
def test_a_start_after_the_end_is_refused(kind: str) -> None:
    with pytest.raises(SettingsError, match="starts on 2026-02-02, after its end 2026-01-30; swap"):
        explicit_windows(start=day("2026-02-02"), end=day("2026-01-30"), kind=kind)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("timezone", "now", "expected"),
    [
        pytest.param("UTC", "2026-03-10T00:30:00+00:00", "2026-03-09", id="just after midnight"),
        pytest.param("America/New_York", "2026-03-10T03:30:00+00:00", "2026-03-08", id="still the day before"),
        pytest.param("Asia/Tokyo", "2026-03-10T15:30:00+00:00", "2026-03-10", id="already the day after"),
        pytest.param("America/New_York", "2026-03-09T04:30:00+00:00", "2026-03-08", id="after a day of 23 h"),
    ],
)
def test_the_default_end_is_yesterday_in_the_zone_of_the_report(timezone: str, now: str, expected: str) -> None:
    assert default_end(timezone, datetime.fromisoformat(now)) == day(expected)


@pytest.mark.parametrize("timezone", ["Mars/Olympus", "", "America", "../etc/passwd"])
def test_an_unknown_zone_is_refused(timezone: str) -> None:
    with pytest.raises(SettingsError, match="is unknown; use an IANA name"):
        default_end(timezone, datetime(2026, 1, 1, tzinfo=UTC))


def test_a_moment_without_a_zone_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="now has no time zone"):
        default_end("UTC", datetime(2026, 1, 1))


@pytest.mark.parametrize("length", [2, 3, 31])
def test_halves_cover_every_day_once(length: int) -> None:
    window = Window(day("2026-01-01"), date.fromordinal(day("2026-01-01").toordinal() + length - 1))
    first, second = window.halves()
    assert (first.start, second.end) == (window.start, window.end)
    assert (second.start - first.end).days == 1
    assert 0 <= second.days - first.days <= 1


def test_one_day_has_no_halves() -> None:
    with pytest.raises(ValueError, match="2026-01-01 is one day"):
        Window(day("2026-01-01"), day("2026-01-01")).halves()


def test_a_batch_is_named_by_both_ends_and_one_day_reads_as_a_day() -> None:
    window = Window(day("2026-01-01"), day("2026-01-01"))
    assert (window.batch_id, str(window)) == ("2026-01-01..2026-01-01", "2026-01-01")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        pytest.param({"initial_days": 0, "settle_days": 2}, "initial_days is 0, the least is 1", id="no day"),
        pytest.param({"initial_days": 9**9, "settle_days": 2}, "before the calendar", id="before the year 1"),
    ],
)
def test_a_number_of_days_out_of_range_is_refused(settings: dict[str, int], problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        daily_windows(end=day("2026-01-01"), watermark=None, **settings)


def test_a_negative_lookback_is_refused() -> None:
    with pytest.raises(SettingsError, match="lookback_days is -1, the least is 0"):
        rolling_window(end=day("2026-01-01"), lookback_days=-1, watermark=None)

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, timedelta
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import pytest

from loaders.errors import SourceError
from loaders.gladly.extract import download
from loaders.gladly.report_csv import Report
from loaders.gladly.window import Window

WEEK = Window(date(2026, 1, 1), date(2026, 1, 7))


@dataclass
class CappedGladly:
    """Answers like the client: rows by day, cut at the row limit in silence; zero bytes where there are none."""

    rows: Mapping[int, int]  # by day of January
    cap: int = 1000
    headers: Mapping[int, str] = field(default_factory=dict)  # by first day asked for
    asked: list[str] = field(default_factory=list)

    def report(self, *, start: date, end: date, into: BinaryIO, subject: str, **_: Any) -> None:
        self.asked.append(subject)
        days = [start + timedelta(days=number) for number in range((end - start).days + 1)]
        rows = [f"{day}/{number},x\n" for day in days for number in range(self.rows.get(day.day, 0))]
        into.seek(0)
        into.truncate()
        header = self.headers.get(start.day, "Contact ID,Status\n") if rows else ""
        into.write((header + "".join(rows[: self.cap])).encode())


@pytest.fixture
def bodies() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def download_week(gladly: CappedGladly, bodies: ExitStack, row_cap: int | None = None) -> list[Report]:
    return download(
        gladly,  # type: ignore[arg-type]
        metric_set="ContactExportReportV3",
        window=WEEK,
        timezone="UTC",
        row_cap=row_cap,
        subject="gladly.contact_export",
        required=["contact_id"],
        columns={},
        open_body=lambda: bodies.enter_context(TemporaryFile()),
    )


def keys(reports: list[Report]) -> list[str]:
    batches = [batch for report in reports for batch in report.batches()]
    return [row["contact_id"] for batch in batches for row in batch.to_pylist()]


def test_a_window_below_the_limit_is_one_report(bodies: ExitStack) -> None:
    gladly = CappedGladly({1: 2, 7: 1}, cap=4)
    reports = download_week(gladly, bodies, row_cap=4)
    assert gladly.asked == ["gladly.contact_export 2026-01-01..2026-01-07"]
    assert keys(reports) == ["2026-01-01/0", "2026-01-01/1", "2026-01-07/0"]


def test_a_window_at_the_limit_is_split_by_days_until_every_part_fits(bodies: ExitStack) -> None:
    gladly = CappedGladly(dict.fromkeys(range(1, 8), 3), cap=7)
    reports = download_week(gladly, bodies, row_cap=7)
    assert [report.subject for report in reports] == [
        "gladly.contact_export 2026-01-01",
        "gladly.contact_export 2026-01-02..2026-01-03",
        "gladly.contact_export 2026-01-04..2026-01-05",
        "gladly.contact_export 2026-01-06..2026-01-07",
    ]
    assert keys(reports) == [f"2026-01-{day:02}/{number}" for day in range(1, 8) for number in range(3)]


def test_one_day_at_the_limit_is_refused(bodies: ExitStack) -> None:
    gladly = CappedGladly({1: 1, 6: 9}, cap=5)
    with pytest.raises(
        SourceError,
        match=r"^gladly.contact_export 2026-01-06: 5 rows in one day, and Gladly cuts at 5 in silence; raise",
    ):
        download_week(gladly, bodies, row_cap=5)


def test_without_a_limit_nothing_is_split(bodies: ExitStack) -> None:
    assert len(download_week(CappedGladly({1: 2000}, cap=1000), bodies)) == 1


def test_parts_may_have_their_columns_in_another_order(bodies: ExitStack) -> None:
    gladly = CappedGladly({1: 1, 7: 1}, cap=2, headers={4: "Status,Contact ID\n"})
    reports = download_week(gladly, bodies, row_cap=2)
    assert [list(report.columns) for report in reports] == [["contact_id", "status"], ["status", "contact_id"]]


def test_a_part_without_rows_and_columns_fits_to_all(bodies: ExitStack) -> None:
    reports = download_week(CappedGladly({4: 1, 7: 1}, cap=2), bodies, row_cap=2)
    assert [report.record_count for report in reports] == [0, 1, 1]
    assert reports[0].columns == {}


def test_parts_with_different_columns_are_refused(bodies: ExitStack) -> None:
    gladly = CappedGladly({1: 1, 7: 1}, cap=2, headers={4: "Contact ID,Stand\n"})
    with pytest.raises(
        SourceError,
        match=r"^gladly.contact_export 2026-01-04..2026-01-07: columns differ from those of gladly.contact_export "
        "2026-01-01..2026-01-03: stand, status; load",
    ):
        download_week(gladly, bodies, row_cap=2)

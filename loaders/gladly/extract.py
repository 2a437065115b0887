"""The reports for a window: one, or several where the vendor's row limit asks for fewer days at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import BinaryIO

from loaders.errors import SourceError
from loaders.gladly.client import GladlyClient
from loaders.gladly.report_csv import Report, read_report
from loaders.gladly.window import Window


def download(  # noqa: PLR0913  one argument for each thing that a source declares
    client: GladlyClient,
    *,
    metric_set: str,
    window: Window,
    timezone: str,
    row_cap: int | None,
    subject: str,
    required: Sequence[str],
    columns: Mapping[str, str],
    open_body: Callable[[], BinaryIO],
) -> list[Report]:
    """The reports that cover the window, in day order, none of which reached `row_cap`.

    Gladly cuts a report at its row limit in silence, so one that reaches it is asked for again in halves. `subject`
    is the source's name; error messages add the days. Bodies are opened by `open_body`, one for each report returned,
    and are the caller's to close. SourceError when one day alone reaches the limit, and when the reports have
    different columns; reports without any columns are empty and fit to all.
    """

    def ask(days: Window, body: BinaryIO) -> list[Report]:
        about = f"{subject} {days}"
        client.report(
            metric_set=metric_set,
            start=days.start,
            end=days.end,
            timezone=timezone,
            into=body,
            subject=about,
        )
        report = read_report(body, subject=about, columns=columns, required=required)
        if row_cap is None or report.record_count < row_cap:
            return [report]
        if days.days == 1:
            raise SourceError(
                f"{about}: {report.record_count} rows in one day, and Gladly cuts at {row_cap} in silence; "
                "raise row_cap if this report is known to be whole, else ask Gladly for an export of the day"
            )
        first, second = days.halves()
        return [*ask(first, body), *ask(second, open_body())]  # the cut body is not needed any more

    reports = ask(window, open_body())
    _check_same_columns(reports)
    return reports


def _check_same_columns(reports: Sequence[Report]) -> None:
    """The parts become one batch, so a column of some of them would be NULL in the others without having been so."""
    first, *others = [report for report in reports if report.columns] or reports[:1]
    for other in others:
        difference = sorted(first.columns.keys() ^ other.columns.keys())
        if difference:
            raise SourceError(
                f"{other.subject}: columns differ from those of {first.subject}: {', '.join(difference)}; "
                "load the days before and after the change on their own, with --start-date and --end-date"
            )

"""python -m loaders.gladly: the declared reports of the support desk, into the stage."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime

import requests

from loaders.batch import make_pipeline_run_id
from loaders.command_line import Output, failing_alone, make_parser, run
from loaders.errors import LoaderError, SettingsError, SourceUnavailableError
from loaders.gladly.client import GladlyClient
from loaders.gladly.exports import due_jobs, landed_jobs, load_job
from loaders.gladly.load import load_list, load_window
from loaders.gladly.sources import Dates, batch_id, check_dates, due_windows, read_reports
from loaders.gladly.window import Window
from loaders.settings import load_target, project_directory, read_environment
from loaders.sources import SourceTable
from loaders.stage import Stage, open_stage


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask for every declared report; one report's failure stops no other, and makes the exit code 1."""
    parser = make_parser(
        "gladly",
        "Ask Gladly for the declared reports and land each window as one batch in the stage. Reads GLADLY_URL, "
        "GLADLY_USER, GLADLY_API_TOKEN and, where it is set, GLADLY_REQUESTS_PER_MINUTE from the environment.",
    )
    parser.add_argument("--lookback-days", type=_days, metavar="N", help="rolling reports: days before the end date")
    parser.add_argument("--start-date", type=_date, metavar="DATE", help="backfill: the first day, included")
    parser.add_argument(
        "--end-date",
        type=_date,
        metavar="DATE",
        help="the last day, included (default: yesterday in the report's zone)",
    )
    options = parser.parse_args(arguments)
    return run(lambda: _load(options))


def _load(options: argparse.Namespace) -> int:
    output = Output(quiet=options.quiet, as_json=options.json)
    project = project_directory()
    reports = read_reports(project, only=options.only)
    dates = Dates(options.start_date, options.end_date, options.lookback_days)
    check_dates(reports, dates, datetime.now(UTC))
    stage = open_stage(load_target(project, target=options.target, profiles_dir=options.profiles_dir))
    if options.dry_run:
        for report in reports:
            now = datetime.now(UTC)
            if report.meta["window"] == "export":
                output.plan(report, None, "completed jobs that have not landed would be asked for")
                continue
            for window in due_windows(report, stage.progress(str(report)), dates, now):
                output.plan(report, batch_id(report, window, now), "would be asked for")
        return output.close()
    url, user, token = read_environment(["GLADLY_URL", "GLADLY_USER", "GLADLY_API_TOKEN"])
    run_id = make_pipeline_run_id()
    with requests.Session() as session:
        client = GladlyClient(
            url,
            user,
            token,
            session=session,
            sleep=time.sleep,
            monotonic=time.monotonic,
            requests_per_minute=_requests_per_minute(reports),
        )
        for adopted in stage.adopt():
            output.note(f"{adopted.source_table} {adopted.batch_id}: found whole in the stage, entered in the ledger")
        for report in reports:
            if report.meta["window"] == "export":
                _load_exports(client, stage, report, run_id=run_id, output=output)
            else:
                _load_report(client, stage, report, dates=dates, run_id=run_id, output=output)
    return output.close()


def _load_report(
    client: GladlyClient, stage: Stage, report: SourceTable, *, dates: Dates, run_id: str, output: Output
) -> None:
    """Every due window of one report; a window that is refused leaves a hole that the next run asks for again."""
    try:
        now = datetime.now(UTC)
        progress = stage.progress(str(report))
        windows = due_windows(report, progress, dates, now)
    except LoaderError as error:
        output.failed(str(report), error)
        return
    if not windows:
        output.note(f"{report}: no day is due; its watermark is {progress.watermark}")
    _explain_pause(report, windows, output)
    is_first = progress.is_first({batch_id(report, window, now) for window in windows})
    for number, window in enumerate(windows):
        started = time.monotonic()
        try:
            with output.working_on(f"{report} {window or ''}"), failing_alone(f"{report} {window or ''}".rstrip()):
                batch = (
                    load_window(
                        client, stage, report, window, is_first=is_first and number == 0, pipeline_run_id=run_id
                    )
                    if window
                    else load_list(client, stage, report, pipeline_run_id=run_id)
                )
        except LoaderError as error:
            output.failed(str(report), error)
            # Before the first day is loaded there is no watermark that could stand before a hole.
            if isinstance(error, SourceUnavailableError) or is_first:
                return
            continue
        output.landed(batch, started)


def _load_exports(client: GladlyClient, stage: Stage, source: SourceTable, *, run_id: str, output: Output) -> None:
    """Every job that is due, oldest first; one that cannot be read stops its source there."""
    try:
        for job in due_jobs(client, source, landed_jobs(stage, source)):
            started = time.monotonic()
            with output.working_on(f"{source} {job.job_id}"), failing_alone(f"{source} {job.job_id}"):
                batch = load_job(client, stage, source, job, pipeline_run_id=run_id)
            output.landed(batch, started)
    except LoaderError as error:
        output.failed(str(source), error)


def _explain_pause(report: SourceTable, windows: Sequence[Window | None], output: Output) -> None:
    lookback = report.meta.get("lookback_days", 30)
    for window in windows:
        if window and report.meta["window"] == "rolling" and window.days > lookback + 1:
            output.note(f"{report}: {window.days} days are asked for, since the last loaded window ended long ago")


def _requests_per_minute(reports: Sequence[SourceTable]) -> float | None:
    """The pace of the whole organization: the environment's, else the slowest that is declared; 0 is no limit."""
    text = os.environ.get("GLADLY_REQUESTS_PER_MINUTE")
    declared = [report.meta["requests_per_minute"] for report in reports if report.meta.get("requests_per_minute")]
    try:
        pace = float(text) if text else min(declared, default=0.0)
    except ValueError:
        raise SettingsError(f"GLADLY_REQUESTS_PER_MINUTE is {text!r}, expected a number") from None
    return pace or None


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2026-01-31") from None


def _days(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of days")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())

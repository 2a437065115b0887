"""A sandbox without limits, and the ways all tests here ask it for reports, lists and files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
import requests

from demo.sandbox import Sandbox

Ask = Callable[..., requests.Response]


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(today=date(2026, 1, 31), requests_per_minute=None, requests_at_once=None) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def ask() -> Ask:
    """Asks for a report as a loader would, with UTC unless the test names another zone (None: not at all)."""

    def ask_sandbox(
        sandbox: Sandbox,
        metric_set: str = "ContactExportReportV3",
        first: str = "2026-01-30",
        last: str = "2026-01-30",
        timezone: str | None = "UTC",
        **more: Any,
    ) -> requests.Response:
        body = {"metricSet": metric_set, "startAt": first, "endAt": last, "timezone": timezone, **more}
        body = {name: value for name, value in body.items() if value is not None}
        return requests.post(f"{sandbox.url}/api/v1/reports", json=body, auth=sandbox.credentials, timeout=20)

    return ask_sandbox


@pytest.fixture(scope="session")
def read_rows() -> Callable[[requests.Response], list[dict[str, str]]]:
    """The rows of a good answer, each as {header: cell}."""

    def read(response: requests.Response) -> list[dict[str, str]]:
        response.raise_for_status()
        return list(csv.DictReader(io.StringIO(response.content.decode("utf-8"), newline="")))

    return read


@pytest.fixture(scope="session")
def get() -> Ask:
    """Asks with GET for a path below /api/v1."""

    def get_path(sandbox: Sandbox, path: str, **query: str) -> requests.Response:
        return requests.get(f"{sandbox.url}/api/v1/{path}", params=query, auth=sandbox.credentials, timeout=20)

    return get_path

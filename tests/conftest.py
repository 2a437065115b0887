"""Fixtures that all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from warehouse import Warehouse


@pytest.fixture(params=["duckdb"])
def warehouse(request: pytest.FixtureRequest, tmp_path: Path) -> Warehouse:
    """An empty warehouse of each engine."""
    return Warehouse(request.param, tmp_path)

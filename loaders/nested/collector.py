"""Python's cyclic garbage collector, kept away from parsed JSON."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """Parsed JSON has no cycles; searching a chunk's objects for them again and again costs more than parsing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collect_young() -> None:
    """Free the cycles that others left behind while the collector was paused."""
    gc.collect(0)

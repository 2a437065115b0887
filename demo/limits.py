"""Gladly's limits on reports, across the whole organization."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MINUTE = 60.0


class Limits:
    """So many reports in any minute and so many at once; None: no limit. A refused request counts for nothing."""

    def __init__(self, *, per_minute: int | None, at_once: int | None, clock: Callable[[], float]) -> None:
        self.per_minute = per_minute
        self.at_once = at_once
        self._clock = clock
        self._lock = threading.Lock()
        self._started: deque[float] = deque()
        self._running = 0

    @contextmanager
    def admit(self) -> Iterator[int | None]:
        """Yields None while the report may run, else the whole seconds after which asking again is of use."""
        wait = self._enter()
        try:
            yield wait
        finally:
            if wait is None:
                with self._lock:
                    self._running -= 1

    def _enter(self) -> int | None:
        with self._lock:
            now = self._clock()
            while self._started and now - self._started[0] >= MINUTE:
                self._started.popleft()
            if self.per_minute is not None and len(self._started) >= self.per_minute:
                return math.ceil(MINUTE - (now - self._started[0]))
            if self.at_once is not None and self._running >= self.at_once:
                return 1
            self._started.append(now)
            self._running += 1
            return None

"""Cells of a report as Gladly prints them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from zoneinfo import ZoneInfo

_PIECE_CHARACTERS = 64 * 1024


def cell_clock(zone: ZoneInfo) -> Callable[[int | None], str]:
    """Prints a moment (milliseconds since 1970) as `zone`'s clocks show it, without an offset; None is empty."""

    def print_moment(moment: int | None) -> str:
        if moment is None:
            return ""
        return f"{datetime.fromtimestamp(moment // 1000, zone):%Y-%m-%d %H:%M:%S}"

    return print_moment


def seconds(milliseconds: int | None) -> str:
    """Seconds with up to three places, zeros at the end dropped; None is empty."""
    return "" if milliseconds is None else _decimal(milliseconds, places=3)


def dollars(cents: int) -> str:
    """Dollars with up to two places, zeros at the end dropped."""
    return _decimal(cents, places=2)


def csv_pieces(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """A CSV in UTF-8, piece by piece, so that a report of any size needs the memory of one piece."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in chain([headers], rows):
        writer.writerow(row)
        if text.tell() >= _PIECE_CHARACTERS:
            yield text.getvalue().encode()
            text.seek(0)
            text.truncate()
    if text.tell():
        yield text.getvalue().encode()


def _decimal(number: int, *, places: int) -> str:
    return f"{number / 10**places:.{places}f}".rstrip("0").rstrip(".") if number else "0"

"""One report body, a CSV file, as Arrow record batches of text.

Nothing is trimmed, typed or guessed: an unquoted empty field is NULL, "" is the empty string, all else is the very
characters received. What cannot be kept exactly is refused before or while it is parsed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import BinaryIO

import pyarrow as pa
from pyarrow import csv

from loaders.csv_blocks import CsvBlocks
from loaders.errors import SourceError
from loaders.gladly.csv_framing import Framing, body_start, frame, line_at, ragged_records
from loaders.names import column_name, column_names

# Where each is fastest: the scan's blocks stay in the processor's cache.
BLOCK_BYTES = 1 << 20
SCAN_BYTES = 1 << 18
SHOWN_RECORDS = 5
NO_MAPPING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Report:
    """A report body that was looked through and is ready to be parsed, one reader at a time.

    `columns` holds each column name with the source's own header, in the order of the file; it is empty for a body
    that has no header. The body stays the caller's to close.
    """

    subject: str
    columns: dict[str, str]
    record_count: int
    body: BinaryIO = field(repr=False)
    framing: Framing | None = field(repr=False)
    block_bytes: int = field(default=BLOCK_BYTES, repr=False)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The records in the order of the file, all columns text; none when there are no records.

        SourceError naming the lines of records that have more or fewer fields than the header, and when not exactly
        `record_count` records come out.
        """
        if self.framing is None or not self.record_count:
            return
        parsed = 0
        try:
            for batch in self._reader(self.framing):
                parsed += batch.num_rows
                if batch.num_rows:
                    yield batch
        except pa.ArrowInvalid as error:
            raise self._refusal(self.framing, error) from error
        if parsed != self.record_count:
            raise SourceError(
                f"{self.subject}: {self.record_count} records in the body but {parsed} were read; keep the body and "
                "report this"
            )

    def _reader(self, framing: Framing) -> csv.CSVStreamingReader:
        # From the header's line end, not behind it: pyarrow drops a U+FEFF at the very start of what it is given,
        # and there it would be the first value's.
        self.body.seek(framing.records_at - 1)
        return csv.open_csv(
            CsvBlocks(self.body, line_end=b"\n"),
            read_options=csv.ReadOptions(
                column_names=list(self.columns),
                # A record must not reach over more than one border, and a block may be one byte short.
                block_size=max(self.block_bytes, framing.longest + 2),
                # Threads gain nothing measurable, and would read on in a body that its owner may have closed.
                use_threads=False,
            ),
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                default_column_type=pa.string(),
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
                null_values=[""],
                check_utf8=False,  # the scan did
            ),
        )

    def _refusal(self, framing: Framing, error: pa.ArrowInvalid) -> SourceError:
        expected = len(self.columns)
        ragged = ragged_records(self.body, framing.start, expected)
        shown = [f"line {line} has {found}" for line, found in islice(ragged, SHOWN_RECORDS)]
        if not shown:
            return SourceError(f"{self.subject}: the body cannot be parsed: {' '.join(str(error).split())[:200]}")
        more = sum(1 for _ in ragged)
        return SourceError(
            f"{self.subject}: {len(shown) + more} records have not the header's {expected} fields: {', '.join(shown)}"
            f"{f', and {more} more' if more else ''}; ask for the report again"
        )


def read_report(
    body: BinaryIO,
    *,
    subject: str,
    columns: Mapping[str, str] = NO_MAPPING,
    required: Sequence[str] = (),
    block_bytes: int = BLOCK_BYTES,
) -> Report:
    """Look through a whole report body and read its header.

    `subject` starts every error message; `columns` names headers explicitly; `required` are column names that must be
    there; memory is bounded by a few times `block_bytes` and the longest record. SourceError for a body that is no
    such report: JSON, HTML, an error text, broken framing, headers that make no columns.
    """
    start = body_start(body)
    if start.startswith(("{", "[", "<")):
        raise SourceError(f"{subject}: no CSV came but {start!r}; ask again, then ask Gladly's support")
    framing = frame(body, subject=subject, block_bytes=min(block_bytes, SCAN_BYTES))
    if framing is None:
        return Report(subject, {}, 0, body, None)
    headers = _headers(body, framing)
    _check_required(headers, columns, required, subject=subject, start=start)
    try:
        names = column_names(headers, columns)
    except SourceError as error:
        raise SourceError(f"{subject}: {error}") from error
    if len(names) == 1 and framing.blank_at is not None:
        raise SourceError(
            f"{subject}: line {line_at(body, framing.blank_at)} is blank, which in a report of one column is a NULL "
            "or nothing; ask for a report with more columns"
        )
    by_name = {name: header for header, name in names.items()}
    return Report(subject, by_name, framing.record_count, body, framing, block_bytes)


def _headers(body: BinaryIO, framing: Framing) -> list[str]:
    body.seek(framing.start)
    header = body.read(framing.records_at - framing.start)
    table = csv.read_csv(
        pa.BufferReader(header + b"\n"),  # pyarrow wants a line end, which the body may lack
        read_options=csv.ReadOptions(block_size=len(header) + 2, use_threads=False),
        parse_options=csv.ParseOptions(newlines_in_values=True),
    )
    return list(table.schema.names)


def _check_required(
    headers: Sequence[str], columns: Mapping[str, str], required: Sequence[str], *, subject: str, start: str
) -> None:
    found = {columns.get(header) or column_name(header) for header in headers}
    missing = [name for name in required if name not in found]
    if missing and len(missing) == len(required):
        raise SourceError(
            f"{subject}: no report came but {start!r}; ask again, and if columns were renamed, name them under "
            "`columns:` in the source's YAML"
        )
    if missing:
        raise SourceError(
            f"{subject}: no column {', '.join(repr(name) for name in missing)} among the {len(headers)} that came; "
            "if it was renamed, name its header under `columns:` in the source's YAML"
        )

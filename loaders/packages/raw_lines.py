"""The lines of a raw batch that is a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from loaders.batch import Batch
from loaders.errors import StageError
from loaders.names import LINE, RECORD_NUMBER
from loaders.packages.workplace import Line

_ROWS = 1024


@contextmanager
def parquet_lines(path: Path, raw: Batch) -> Iterator[Iterator[Line]]:
    """Number and text of every line; StageError where the file is gone."""
    if not path.is_file():
        raise StageError(f"{raw.location}: this file is gone; restore it in the stage, or ask the source again")
    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise StageError(f"{raw.location}: {error}; restore it in the stage, or ask the source again") from None
    with file:
        yield (
            line
            for rows in file.iter_batches(_ROWS, columns=[RECORD_NUMBER, LINE])
            for line in zip(rows.column(RECORD_NUMBER).to_pylist(), rows.column(LINE).to_pylist(), strict=True)
        )

"""Tables written chunk by chunk, one Parquet file each."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from loaders.nested.formats import parquet_batches, schema_of
from loaders.nested.naming import JSON_KINDS, LIST_INDEX
from loaders.nested.package import ordered
from loaders.nested.table import Table

# A dictionary costs more than it saves where values hardly repeat, and zstd finds most of what it would find.
_REPEATING = (LIST_INDEX, JSON_KINDS)


class ParquetFiles:
    """The files of all tables while they are written, in one directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._writers: dict[str, _Writer] = {}

    def store(self, table: Table, rows: pa.Table) -> None:
        """Append the rows of one chunk."""
        if table.name not in self._writers:
            self._writers[table.name] = _Writer(self._directory, table.name)
        self._writers[table.name].write(rows)

    def finish(self, name: str, columns: list[str]) -> Path:
        """The file of a table, with all the columns that it has in the end."""
        return self._writers[name].finish(columns)

    def close(self) -> None:
        """Close what is open; needed after a failure."""
        for writer in self._writers.values():
            writer.close()


class _Writer:
    """One table. A column that comes up late begins a further part; parts are put together at the end."""

    def __init__(self, directory: Path, name: str) -> None:
        self._path = directory / f"{name}.parquet"
        self._parts: list[Path] = []
        self._open: pq.ParquetWriter | None = None

    def write(self, rows: pa.Table) -> None:
        if self._open is None or self._open.schema.names != rows.schema.names:
            self.close()
            self._parts.append(self._path.with_suffix(f".{len(self._parts)}"))
            self._open = _open(self._parts[-1], rows.schema.names)
        self._open.write_table(rows)

    def finish(self, columns: list[str]) -> Path:
        names = self._open.schema.names if self._open else []
        self.close()
        if len(self._parts) == 1 and names == columns:
            return self._parts[0].rename(self._path)
        with _open(self._path, columns) as writer:
            for part in self._parts:
                for batch in parquet_batches(part, 1 << 20):
                    writer.write_table(ordered(pa.Table.from_batches([batch]), columns))
                part.unlink()
        return self._path

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def _open(path: Path, columns: list[str]) -> pq.ParquetWriter:
    return pq.ParquetWriter(
        path,
        schema_of(columns),
        compression="zstd",
        compression_level=1,
        use_dictionary=[name for name in columns if name in _REPEATING],
        write_statistics=False,
    )

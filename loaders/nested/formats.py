"""The file formats of a generation. Parquet is what is written; the others are made from it, whole tables at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from loaders.names import RECORD_NUMBER
from loaders.nested.errors import RefusedError
from loaders.nested.package import READ_ROWS, TableFacts, of_roots, root_column

_TSV_NULL = r"\N"
_TSV_BREAKS = {"\t": "a tab", "\n": "a newline", "\r": "a carriage return"}

Rows = Iterator[dict[str, Any]]


class Format(NamedTuple):
    """How the rows of a table are read (all, or those of some roots), and written from its rows in Parquet."""

    read: Callable[[Path, list[str], pa.Array | None], Iterator[pa.RecordBatch]]
    write: Callable[[Path, TableFacts, Rows], None]


def _read_parquet(path: Path, columns: list[str], roots: pa.Array | None) -> Iterator[pa.RecordBatch]:
    if roots is None:
        yield from parquet_batches(path, READ_ROWS)
        return
    # DuckDB decodes little more than these rows.
    with duckdb.connect(":memory:") as connection:
        connection.execute("set threads = 1")
        connection.register("wanted", pa.table({"root": roots}))
        names = ", ".join(f'"{name}"' for name in columns)
        found = connection.sql(
            f"select {names} from read_parquet({sql_text(path)})"
            f" where {root_column(columns)} in (select root from wanted) order by {RECORD_NUMBER}"
        ).to_arrow_table()
    yield from found.to_batches(READ_ROWS)


def _keep_parquet(_path: Path, _facts: TableFacts, _rows: Rows) -> None:
    """Parquet is there already."""


def _read_jsonl(path: Path, columns: list[str], roots: pa.Array | None) -> Iterator[pa.RecordBatch]:
    with path.open("rb") as file:
        yield from of_roots(_batches((orjson.loads(line) for line in file), columns), columns, roots)


def _write_jsonl(path: Path, _facts: TableFacts, rows: Rows) -> None:
    with path.open("wb") as file:
        file.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)


def _read_tsv(path: Path, columns: list[str], roots: pa.Array | None) -> Iterator[pa.RecordBatch]:
    with path.open(encoding="utf-8", newline="\n") as file:
        next(file)
        yield from of_roots(_batches((_tsv_row(line, columns) for line in file), columns), columns, roots)


def _tsv_row(line: str, columns: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {
        name: None if text == _TSV_NULL else text
        for name, text in zip(columns, line.removesuffix("\n").split("\t"), strict=True)
    }
    values[RECORD_NUMBER] = int(values[RECORD_NUMBER])
    return values


def _write_tsv(path: Path, facts: TableFacts, rows: Rows) -> None:
    mixed = [f"path {facts.columns[name]} is {kinds}" for name, kinds in facts.types.items() if ", " in kinds]
    if mixed:
        raise RefusedError(
            f"TSV has one type a column, but {'; '.join(mixed)}; write parquet or jsonl", path=facts.path
        )
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\t".join(facts.all_columns) + "\n")
        for row in rows:
            file.write("\t".join([_tsv_text(facts, row, name) for name in facts.all_columns]) + "\n")


def _tsv_text(facts: TableFacts, row: dict[str, Any], name: str) -> str:
    value = row[name]
    if value is None:
        return _TSV_NULL
    text = str(value)
    found = next((word for character, word in _TSV_BREAKS.items() if character in text), None)
    if found or text == _TSV_NULL:
        problem = f"row {row[RECORD_NUMBER]} of table {facts.name!r} holds {found or 'the text that is NULL in TSV'}"
        raise RefusedError(f"{problem}; write parquet or jsonl", path=facts.columns[name])
    return text


def _batches(rows: Iterable[dict[str, Any]], columns: list[str]) -> Iterator[pa.RecordBatch]:
    schema = schema_of(columns)
    rows = iter(rows)
    while chunk := list(islice(rows, READ_ROWS)):
        yield pa.RecordBatch.from_pylist(chunk, schema=schema)


def parquet_batches(path: Path, rows: int) -> Iterator[pa.RecordBatch]:
    """All rows of a Parquet file, one row group in memory at a time: `iter_batches` reads far ahead."""
    with pq.ParquetFile(path, pre_buffer=False) as file:
        for group in range(file.num_row_groups):
            yield from file.read_row_group(group, use_threads=False).to_batches(max_chunksize=rows)


def sql_text(path: Path) -> str:
    """A path as a literal of SQL."""
    return "'" + str(path).replace("'", "''") + "'"


def schema_of(columns: list[str]) -> pa.Schema:
    """All text, but the record number."""
    return pa.schema([(name, pa.int64() if name == RECORD_NUMBER else pa.string()) for name in columns])


FORMATS = {
    "parquet": Format(_read_parquet, _keep_parquet),
    "jsonl": Format(_read_jsonl, _write_jsonl),
    "tsv": Format(_read_tsv, _write_tsv),
}

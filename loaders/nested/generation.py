"""A generation: a package as files in one directory, complete and never changed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from loaders.errors import StageError
from loaders.nested.formats import FORMATS
from loaders.nested.package import TableFacts, Verdict
from loaders.nested.registry import Binding, Registry

MANIFEST = "manifest.json"
MANIFEST_VERSION = 1


@dataclass(frozen=True)
class TableFile:
    """A table of a generation: its file, and the sidecar that says what its columns are."""

    facts: TableFacts
    file: Path
    sidecar: Path
    file_format: str
    byte_count: int
    sha256: str

    def batches(self, roots: pa.Array | None = None) -> Iterator[pa.RecordBatch]:
        return FORMATS[self.file_format].read(self.file, self.facts.all_columns, roots)

    def relation(self) -> Any:
        """What DuckDB reads."""
        return self.file if self.file_format == "parquet" else pa.Table.from_batches(self.batches())


@dataclass(frozen=True)
class Generation:
    """As a Package, with its tables in files under `directory`."""

    directory: Path
    root_table: str
    tables: Mapping[str, TableFile]
    bindings: tuple[Binding, ...]
    checks: tuple[Verdict, ...]
    record_count: int
    blank_count: int

    @property
    def name(self) -> str:
        return self.directory.name

    @property
    def registry(self) -> Registry:
        return Registry.from_bindings(self.bindings)

    def check_files(self) -> None:
        """StageError that names every file that is not what it was when it was written."""
        changed = [
            one.file.name
            for one in self.tables.values()
            if not one.file.is_file() or file_sha256(one.file) != one.sha256
        ]
        if changed:
            raise StageError(f"{self.directory}: changed since it was written: {', '.join(changed)}; make it again")

    def drop(self) -> None:
        """Take the generation away as it came: whole, by one rename."""
        hidden = self.directory.with_name(hidden_name(self.name))
        self.directory.rename(hidden)
        shutil.rmtree(hidden)

    def manifest_text(self) -> str:
        """What is written beside the files."""
        manifest = {
            "version": MANIFEST_VERSION,
            "generation": self.name,
            "root_table": self.root_table,
            "record_count": self.record_count,
            "blank_count": self.blank_count,
            "tables": [_table_entry(table) for table in self.tables.values()],
            "checks": [asdict(check) for check in self.checks],
            "bindings": [asdict(binding) for binding in self.bindings],
        }
        return json.dumps(manifest, indent=2)


def open_generation(directory: Path) -> Generation:
    """The generation in `directory`; StageError where there is none."""
    try:
        manifest = json.loads((directory / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise StageError(f"{directory}: no generation: {error}") from error
    if manifest.get("version") != MANIFEST_VERSION:
        raise StageError(f"{directory}: its manifest has version {manifest.get('version')!r}, not {MANIFEST_VERSION}")
    tables = [_table_file(directory, entry) for entry in manifest["tables"]]
    return Generation(
        directory=directory,
        root_table=manifest["root_table"],
        tables={table.facts.name: table for table in tables},
        bindings=tuple(Binding(**binding) for binding in manifest["bindings"]),
        checks=tuple(Verdict(**check) for check in manifest["checks"]),
        record_count=manifest["record_count"],
        blank_count=manifest["blank_count"],
    )


def hidden_name(name: str) -> str:
    """What a generation is called before it is published and while it is dropped."""
    return f".{name}.generation"


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_sidecar(path: Path, facts: TableFacts) -> None:
    """The columns of one table with their types and source paths."""
    write_text(path, json.dumps(_facts_entry(facts), indent=2))


def write_text(path: Path, text: str) -> None:
    """Write a file, for good."""
    path.write_text(text + "\n", "utf-8")
    seal(path)


def seal(path: Path) -> None:
    """Nobody changes the file any more, and it is on the disk."""
    path.chmod(0o444)
    flush(path)


def flush(path: Path) -> None:
    """Bring a file, or the names in a directory, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _facts_entry(facts: TableFacts) -> dict[str, Any]:
    columns = [{"name": name, "source": source, "type": facts.types[name]} for name, source in facts.columns.items()]
    return {
        "table": facts.name,
        "path": facts.path,
        "parent": facts.parent,
        "row_count": facts.row_count,
        "columns": columns,
    }


def _table_entry(table: TableFile) -> dict[str, Any]:
    return {
        **_facts_entry(table.facts),
        "file": table.file.name,
        "sidecar": table.sidecar.name,
        "format": table.file_format,
        "byte_count": table.byte_count,
        "sha256": table.sha256,
    }


def _table_file(directory: Path, entry: Mapping[str, Any]) -> TableFile:
    facts = TableFacts(
        name=entry["table"],
        path=entry["path"],
        parent=entry["parent"],
        columns={column["name"]: column["source"] for column in entry["columns"]},
        types={column["name"]: column["type"] for column in entry["columns"]},
        row_count=entry["row_count"],
    )
    return TableFile(
        facts=facts,
        file=directory / entry["file"],
        sidecar=directory / entry["sidecar"],
        file_format=entry["format"],
        byte_count=entry["byte_count"],
        sha256=entry["sha256"],
    )

"""python -m loaders.nested: look at nested JSON lines, or write them as tables; no database."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from loaders.command_line import DONE, FAILED, run
from loaders.errors import SettingsError
from loaders.nested import JsonLines, NestedOptions, preview, spill
from loaders.nested.formats import FORMATS


def main(arguments: Sequence[str] | None = None) -> int:
    """Preview or spill one file."""
    parser = argparse.ArgumentParser(prog="python -m loaders.nested", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("preview", help="print tables, columns, kinds and problems, and write nothing")
    _add_arguments(command)
    command = commands.add_parser("spill", help="write one generation: a file and a sidecar for each table")
    _add_arguments(command)
    command.add_argument("--directory", type=Path, required=True, metavar="DIR", help="where generations are")
    command.add_argument("--format", default="parquet", choices=sorted(FORMATS), help="default: parquet")
    command.add_argument("--verify", choices=["all", "sample", "none"], help="objects to rebuild and compare")
    options = parser.parse_args(arguments)
    return run(lambda: _preview(options) if options.command == "preview" else _spill(options))


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="JSON lines")
    parser.add_argument("--root", metavar="NAME", help="name of the root table (default: the file's)")
    parser.add_argument("--key", nargs="+", metavar="FIELD", help="fields that tell roots apart")
    parser.add_argument("--tables", nargs="+", type=_pair, metavar="PATH=NAME", help="names of child tables")
    parser.add_argument("--columns", nargs="+", type=_pair, metavar="PATH=NAME", help="names of columns")
    parser.add_argument("--keep-json", nargs="+", metavar="PATH", help="paths that stay JSON text")
    parser.add_argument("--options", type=Path, metavar="YAML", help="a file with all options of the normalizer")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of lines")


def _preview(arguments: argparse.Namespace) -> int:
    found = preview(_lines(arguments.file), _options(arguments))
    if arguments.json:
        print(json.dumps(found.as_json(), ensure_ascii=False))
    else:
        print("\n".join(found.lines()))
    return FAILED if found.problems else DONE


def _spill(arguments: argparse.Namespace) -> int:
    options = _options(arguments)
    generation = spill(_lines(arguments.file), arguments.directory, options, file_format=arguments.format)
    if arguments.json:
        print(generation.manifest_text() if generation else "null")
    elif generation is None:
        print("no records: nothing was written")
    else:
        print(f"{generation.directory}: {generation.record_count:,} records, {generation.blank_count:,} blank lines")
        for table in generation.tables.values():
            print(f"{table.facts.name}: {table.facts.row_count:,} rows ({table.byte_count / 1e3:,.0f} kB)")
        for check in generation.checks:
            if check.verdict != "passed" or check.table is None:
                where = f" of {check.table}" if check.table else ""
                print(f"{check.check}{where}: {check.verdict}{f' ({check.detail})' if check.detail else ''}")
    return DONE


def _lines(path: Path) -> JsonLines:
    if not path.is_file():
        raise SettingsError(f"{path}: no such file")
    return JsonLines.of_file(path)


def _options(arguments: argparse.Namespace) -> NestedOptions:
    """The options file, with what the command line says on top."""
    settings: dict[str, Any] = {}
    if arguments.options:
        try:
            settings = yaml.safe_load(arguments.options.read_text("utf-8")) or {}
        except (OSError, yaml.YAMLError) as error:
            raise SettingsError(f"{arguments.options}: cannot be read: {' '.join(str(error).split())}") from error
        if not isinstance(settings, dict):
            raise SettingsError(f"{arguments.options}: expected options by name")
    settings.setdefault("root_table", re.sub(r"[^a-z0-9]+", "_", arguments.file.stem.lower()).strip("_"))
    given = {
        "root_table": arguments.root,
        "root_key": arguments.key,
        "tables": dict(arguments.tables) if arguments.tables else None,
        "columns": dict(arguments.columns) if arguments.columns else None,
        "keep_json": arguments.keep_json,
        "verify": getattr(arguments, "verify", None),
    }
    return NestedOptions.read(settings | {name: value for name, value in given.items() if value is not None})


def _pair(text: str) -> tuple[str, str]:
    path, equals, name = text.rpartition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not PATH=NAME")
    return path, name


if __name__ == "__main__":
    sys.exit(main())

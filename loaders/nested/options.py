"""What the normalizer may be told; every word is checked, and all that is wrong is said at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from loaders.errors import SettingsError
from loaders.nested.naming import column_problem, generated_column, name_problem
from loaders.nested.path import Path, parse_path, path_text

POLICIES = ("fail", "warn", "skip")
VERIFY = ("all", "sample", "none")
# Deeper objects would meet the limits of the JSON parsers.
DEEPEST = 64


@dataclass(frozen=True)
class NestedOptions:
    """Names, keys, policies and limits of one root table.

    root_table     its name
    root_key       source keys whose values tell roots apart; without it a root is its number in the source
    child_keys     for the path of a child table, the paths whose values tell its rows apart below one parent: its own
                   fields (`items.id`, or `topics[]` for the element itself), its ancestors' or the root's
    tables         names of child tables by source path; deeper tables begin with the name so given
    columns        names of columns by source path
    keep_json      paths whose lists and mappings stay one text of JSON
    duplicates, orphans    fail, warn or skip
    max_depth      levels of child tables; max_array_length; max_child_tables of the root table; max_rows of one root
    verify         how many objects are rebuilt from the tables and compared: all, sample or none
    """

    root_table: str
    root_key: Sequence[str] = ()
    child_keys: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    keep_json: Sequence[str] = ()
    duplicates: str = "fail"
    orphans: str = "fail"
    max_depth: int = 16
    max_array_length: int = 100_000
    max_child_tables: int = 200
    max_rows: int = 1_000_000
    verify: str = "sample"

    def __post_init__(self) -> None:
        problems = _problems({one.name: getattr(self, one.name) for one in fields(self)})
        if problems:
            raise SettingsError("; ".join(problems))

    @property
    def key_columns(self) -> list[str]:
        """The root table's columns that hold its key."""
        return [self.columns.get(path) or generated_column(parse_path(path)[-1], path) for path in self.root_key]

    @classmethod
    def read(cls, settings: Mapping[str, Any]) -> NestedOptions:
        """The options in a mapping, such as a source's config.meta; SettingsError for unknown keys too."""
        known = {one.name for one in fields(cls)}
        problems = [f"{key} is unknown, expected: {', '.join(sorted(known))}" for key in settings if key not in known]
        problems += _problems(settings)
        if problems:
            raise SettingsError("; ".join(problems))
        return cls(**settings)


def _problems(settings: Mapping[str, Any]) -> list[str]:
    root = settings.get("root_table")
    found = [f"root_table: {name_problem(root)}"] if name_problem(root) else []
    for name, check in _CHECKS.items():
        if name in settings:
            found += [f"{name}: {problem}" for problem in check(settings[name])]
    # What follows compares entries, so it needs each of them to be in order.
    return found or [*_meeting_names(settings), *_below_kept_json(settings)]


def _root_key_problems(value: object) -> Iterator[str]:
    yield from _texts_problems(value)
    for path in _paths(value):
        if len(path) != 1:
            yield f"{path_text(path)} lies below the root; a root's key is of its own fields"


def _texts_problems(value: object) -> Iterator[str]:
    if not isinstance(value, (list, tuple)):
        yield f"is {value!r}, expected a list of paths"
        return
    yield from _path_problems(value)
    if len(set(map(str, value))) != len(value):
        yield f"{list(value)!r} names a path twice"


def _child_key_problems(value: object) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"is {value!r}, expected paths of tables, each with a list of paths"
        return
    yield from _path_problems(value)
    for table, parts in value.items():
        for problem in [*_texts_problems(parts)] or ([] if parts else ["is empty, expected a list of paths"]):
            yield f"{table}: {problem}"
        for table_path in _paths([table]):
            for path in _paths(parts):
                if table_path[: len(path) - 1] != path[:-1]:
                    yield f"{table}: {path_text(path)} is no field of the table, of a table above it, or of the root"


def _names_problems(check: Callable[[object], str | None]) -> Callable[[object], Iterator[str]]:
    def problems(value: object) -> Iterator[str]:
        if not isinstance(value, Mapping):
            yield f"is {value!r}, expected names by path"
            return
        yield from _path_problems(value)
        for path, name in value.items():
            if problem := check(name):
                yield f"{path}: {problem}"

    return problems


def _path_problems(texts: Iterable[object]) -> Iterator[str]:
    for text in texts:
        try:
            parse_path(str(text))
        except ValueError as error:
            yield str(error)
        if not isinstance(text, str):
            yield f"{text!r} is no text"


def _paths(texts: object) -> list[Path]:
    """Those that can be read; the others have been complained of."""
    paths = []
    for text in texts if isinstance(texts, (list, tuple)) else []:
        try:
            paths.append(parse_path(text))
        except (ValueError, TypeError):
            continue
    return paths


def _one_of(words: Sequence[str]) -> Callable[[object], Iterator[str]]:
    return lambda value: iter([] if value in words else [f"is {value!r}, expected one of: {', '.join(words)}"])


def _count(highest: int | None = None) -> Callable[[object], Iterator[str]]:
    def problems(value: object) -> Iterator[str]:
        if type(value) is not int or value < 1 or (highest and value > highest):
            yield f"is {value!r}, expected a whole number from 1{f' to {highest}' if highest else ''}"

    return problems


def _meeting_names(settings: Mapping[str, Any]) -> Iterator[str]:
    """Two explicit names that are one, which no delivery is needed to see."""
    taken = {settings.get("root_table"): "the root"}
    for path, name in (settings.get("tables") or {}).items():
        if name in taken:
            yield f"tables: {taken[name]} and {path} both become {name!r}"
        taken.setdefault(name, path)
    columns: dict[tuple[Path, str], str] = {}
    for path, name in (settings.get("columns") or {}).items():
        first = columns.setdefault((parse_path(path)[:-1], name), path)
        if first != path:
            yield f"columns: {first} and {path} both become {name!r}"


def _below_kept_json(settings: Mapping[str, Any]) -> Iterator[str]:
    """What a value that stays JSON can have neither as a table nor below it."""
    kept = {parse_path(path): path for path in settings.get("keep_json") or ()}
    for option in ("tables", "child_keys", "columns", "keep_json"):
        for text in settings.get(option) or ():
            path = parse_path(text)
            # A kept path is itself a column, so it may have a column's name.
            reach = len(path) if option in ("columns", "keep_json") else len(path) + 1
            above = [kept[path[:length]] for length in range(1, reach) if path[:length] in kept]
            if above:
                yield f"{option}: {text} is part of {above[0]}, which keep_json keeps whole"


_CHECKS: Mapping[str, Callable[[object], Iterator[str]]] = {
    "root_key": _root_key_problems,
    "child_keys": _child_key_problems,
    "tables": _names_problems(name_problem),
    "columns": _names_problems(column_problem),
    "keep_json": _texts_problems,
    "duplicates": _one_of(POLICIES),
    "orphans": _one_of(POLICIES),
    "max_depth": _count(DEEPEST),
    "max_array_length": _count(),
    "max_child_tables": _count(),
    "max_rows": _count(),
    "verify": _one_of(VERIFY),
}

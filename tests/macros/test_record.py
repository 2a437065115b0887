"""RECORD_KEY and RECORD_HASH: injective, and equal in Python and on every engine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import jinja2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warehouse import Warehouse

MACROS = Path(__file__).parents[2] / "macros" / "record"
# Text as the stage lets it through: no U+0000, no lone surrogate.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
TRICKY = st.text(st.sampled_from("|\\:;=0123a\N{COMBINING ACUTE ACCENT}é🛎"), max_size=6)


def macro(name: str) -> Any:
    """A macro of the project outside dbt: it only makes text."""
    jinja = jinja2.Environment(extensions=["jinja2.ext.do"])  # noqa: S701
    jinja.globals["return"] = lambda value: value
    return lambda *arguments: str(
        getattr(jinja.from_string((MACROS / f"{name}.sql").read_text()).module, name)(*arguments)
    )


def python_hash(row: Mapping[str, str | None]) -> str:
    text = "".join(f"{name}={len(value)}:{value};" for name, value in sorted(row.items()) if value is not None)
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def python_key(parts: list[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return "|".join(part.replace("\\", "\\\\").replace("|", "\\|") for part in parts)


@pytest.fixture(scope="module")
def engine() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def evaluate(engine: duckdb.DuckDBPyConnection, expression: str, row: Mapping[str, str | None]) -> str:
    columns = ", ".join(f"cast(${name} as varchar) as {name}" for name in row)
    found = engine.execute(f"select {expression} from (select {columns})", dict(row)).fetchone()
    assert found
    return str(found[0])


ROWS = st.dictionaries(st.sampled_from(["a", "a_b", "b", "zz"]), st.none() | TEXT | TRICKY, min_size=1)
ONE_ENGINE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@ONE_ENGINE
@given(row=ROWS)
def test_the_hash_is_the_same_in_python_and_sql(engine: duckdb.DuckDBPyConnection, row: dict[str, str | None]) -> None:
    assert evaluate(engine, macro("record_hash")(list(row)), row) == python_hash(row)


@given(ROWS, ROWS)
def test_rows_of_different_content_never_share_a_hash(one: dict[str, str | None], other: dict[str, str | None]) -> None:
    def content(row: dict[str, str | None]) -> dict[str, str]:
        return {name: value for name, value in row.items() if value is not None}

    assert (python_hash(one) == python_hash(other)) == (content(one) == content(other))


PARTS = st.lists(TEXT | TRICKY, min_size=2, max_size=3)


@ONE_ENGINE
@given(parts=PARTS)
def test_the_key_is_the_same_in_python_and_sql(engine: duckdb.DuckDBPyConnection, parts: list[str]) -> None:
    row = {f"part_{number}": part for number, part in enumerate(parts)}
    assert evaluate(engine, macro("record_key")(list(row)), row) == python_key(parts)


@given(st.integers(2, 3).flatmap(lambda size: st.tuples(*[st.lists(TRICKY, min_size=size, max_size=size)] * 2)))
def test_different_parts_never_make_one_key(pair: tuple[list[str], list[str]]) -> None:
    one, other = pair
    assert (python_key(one) == python_key(other)) == (one == other)


# Written down once: a change here is a new version of the hash, and rewrites every table.
GOLDEN: list[tuple[dict[str, str | None], str]] = [
    ({"a": "1"}, "09719ea243dd4337856995311e872665"),
    ({"a": "", "b": None}, "b41f470f5dfa5e9b258d11d134c226e1"),
    ({"a": None}, "d41d8cd98f00b204e9800998ecf8427e"),
    ({"contact_id": "C-1", "status": "OPEN", "notes": "line one\nline two"}, "add2b95dae4ff9e3f8f9de9bf6b638a9"),
    ({"a": "é", "b": "é"}, "61b137d778a55b557fba6f8c21a3ea43"),
    ({"a": "🛎|\\;=1:"}, "e1251ddb8fa25aef94cce5df2fa1e3f1"),
    ({"a": "x", "a_b": "y", "b": "z"}, "d207d448a2370b0083539b62f28c7a6b"),
]


@pytest.mark.parametrize(("row", "expected"), GOLDEN)
def test_the_hash_of_a_known_row_never_changes(
    engine: duckdb.DuckDBPyConnection, row: dict[str, str | None], expected: str
) -> None:
    assert python_hash(row) == expected
    assert evaluate(engine, macro("record_hash")(list(row)), row) == expected


def test_a_hundred_and_more_columns_are_hashed_alike(engine: duckdb.DuckDBPyConnection) -> None:
    row: dict[str, str | None] = {f"column_{number}": str(number) for number in range(250)}
    assert evaluate(engine, macro("record_hash")(list(row)), row) == python_hash(row)


def test_bronze_holds_the_hash_that_python_makes(warehouse: Warehouse) -> None:
    warehouse.deliver([{"Contact ID": "A", "Status": "", "Note": None, "Größe": "é🛎|\\"}])
    warehouse.build()
    expected = python_hash({"contact_id": "A", "status": "", "gr_e": "é🛎|\\"})
    assert warehouse.rows("record_hash") == [(expected,)]


def test_the_hash_of_a_known_row_is_the_same_on_every_engine(warehouse: Warehouse) -> None:
    # One delivery with all their columns: what is NULL does not enter the hash.
    warehouse.model("batch_replace", record_key=[])
    columns = sorted({name for row, _ in GOLDEN for name in row})
    warehouse.deliver([{name: row.get(name) for name in columns} for row, _ in GOLDEN], batch_id="golden")
    warehouse.build()
    expected = [(f"golden|{number}", value) for number, (_, value) in enumerate(GOLDEN, 1)]
    assert warehouse.rows("record_key", "record_hash") == expected


# Written down once, as the hashes are.
GOLDEN_KEYS = [
    (("a", "bc"), "a|bc"),
    (("a|b", "c"), "a\\|b|c"),
    (("a\\", "b"), "a\\\\|b"),
    (("a\\|", "|b"), "a\\\\\\||\\|b"),
    (("é🛎", " "), "é🛎| "),
]


def test_the_key_of_known_parts_is_the_same_on_every_engine(warehouse: Warehouse) -> None:
    warehouse.model(record_key=["first", "second_part"])
    warehouse.deliver([{"First": parts[0], "Second part": parts[1] + "x"} for parts, _ in GOLDEN_KEYS])
    warehouse.build()
    assert [python_key(list(parts)) for parts, _ in GOLDEN_KEYS] == [key for _, key in GOLDEN_KEYS]
    assert warehouse.rows("record_key") == sorted((f"{key}x",) for _, key in GOLDEN_KEYS)

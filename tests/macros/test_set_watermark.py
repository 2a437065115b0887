"""dbt run-operation set_watermark: read again from a point."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from warehouse import Build, Warehouse, contacts

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def set_watermark(warehouse: Warehouse, arguments: str) -> Build:
    return warehouse.dbt("run-operation", "set_watermark", "--args", arguments)


def watermarks(warehouse: Warehouse) -> dict[str, datetime | None]:
    return dict(warehouse.query("select table_name, last_extracted from hotelmind_warehouse.etl_watermarks"))


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-01-01", NEW_YEAR),
        ('"2026-01-01"', NEW_YEAR),
        ('"2026-01-01T00:00"', NEW_YEAR),
        ('"2026-01-01 01:30:00+01:30"', NEW_YEAR),
        ('"2026-01-01T00:00:00.000001Z"', NEW_YEAR.replace(microsecond=1)),
        ("null", None),
    ],
    ids=["a day as YAML reads it", "a day", "without an offset", "with one", "microseconds", "a reset"],
)
def test_a_watermark_is_set_on_an_empty_warehouse(warehouse: Warehouse, moment: str, expected: datetime | None) -> None:
    build = set_watermark(warehouse, f"{{table_name: desk.contacts, moment: {moment}}}")
    assert build.success, build.error
    assert watermarks(warehouse) == {"desk.contacts": expected}


def test_only_the_named_watermark_is_set_and_the_next_load_goes_by_it(warehouse: Warehouse) -> None:
    warehouse.deliver(contacts(("A", "1")), high=datetime(2026, 2, 1, tzinfo=UTC))
    warehouse.build()
    warehouse.query(
        "insert into hotelmind_warehouse.etl_watermarks select 'desk.others', current_timestamp, current_timestamp, 7"
    )
    others = "select * from hotelmind_warehouse.etl_watermarks where table_name = 'desk.others'"
    before = warehouse.query(others)
    assert set_watermark(warehouse, "{table_name: desk.contacts, moment: 2026-01-01}").success
    assert warehouse.watermark() == NEW_YEAR
    assert warehouse.query(others) == before
    # Nothing is jumped over: a batch that begins later leaves it.
    warehouse.deliver(contacts(("B", "1")), low=datetime(2026, 1, 2, tzinfo=UTC), high=datetime(2026, 1, 3, tzinfo=UTC))
    warehouse.build()
    assert warehouse.watermark() == NEW_YEAR


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("{table_name: desk.contact, moment: 2026-01-01}", "is called 'desk.contact'; there are: desk.contacts"),
        ("{table_name: desk.contacts, moment: yesterday}", "moment is 'yesterday', expected one such as 2026-01-01"),
        ('{table_name: desk.contacts, moment: "2026-02-30"}', "moment is '2026-02-30', expected one such as"),
        ("{table_name: desk.contacts, moment: infinity}", "moment is 'infinity', expected one such as"),
        (
            "{table_name: desk.contacts}",
            "moment is '', expected one such as 2026-01-01 or 2026-01-01T06:00:00Z, or null",
        ),
    ],
    ids=["unknown table", "a word", "no such day", "a moment to PostgreSQL only", "forgotten"],
)
def test_what_is_no_watermark_is_refused_and_changes_nothing(
    warehouse: Warehouse, arguments: str, message: str
) -> None:
    warehouse.deliver(contacts(("A", "1")), high=NEW_YEAR)
    warehouse.build()
    before = watermarks(warehouse)
    build = set_watermark(warehouse, arguments)
    assert not build.success
    assert message in "\n".join([build.error, *build.results.values(), *build.log])
    assert watermarks(warehouse) == before

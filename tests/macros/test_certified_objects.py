"""What `make certify` runs: real conversation items through the shipped models, and back from bronze as they were."""

from __future__ import annotations

from collections.abc import Callable

from loaders.stage import open_stage
from loaders.status.decision import reject, replay
from nested_project import (
    ROOT,
    SOURCE,
    as_rows,
    declare_items,
    land_lines,
    nights_of_items,
    objects_in_bronze,
    objects_of,
)
from warehouse import Warehouse

COUNT = 1000


def loaded_nights(warehouse: Warehouse) -> tuple[str, dict[str, bytes]]:
    """Load as many nights as hold 1,000 items; the last night's job, and all items as they came."""
    declare_items(warehouse)
    lines: list[str] = []
    job = ""
    for job, night in nights_of_items(COUNT):
        land_lines(warehouse, night, job)
        lines += night
    assert len(lines) == COUNT
    warehouse.build("--threads", "8")
    return job, objects_of(lines)


def test_a_thousand_items_come_back_from_bronze_and_again_after_a_replay(warehouse: Warehouse) -> None:
    job, expected = loaded_nights(warehouse)
    assert objects_in_bronze(warehouse) == expected
    roots = as_rows(warehouse)
    stage = open_stage(warehouse.target)
    with stage.write_ledger() as ledger:
        replay(stage, ledger, f"{SOURCE}.{ROOT}", job)
    warehouse.build()
    assert as_rows(warehouse) == roots
    assert objects_in_bronze(warehouse) == expected


# One spoilt line of each kind, in the order in which a delivery is looked at.
SPOILT: dict[str, Callable[[str], list[str]]] = {
    "a line that is cut off": lambda line: [line[: len(line) // 2]],
    "a key twice in one object": lambda line: ['{"id": "x",' + line[1:]],
    "a number that is none": lambda line: [line[:-1] + ', "score": NaN}'],
    "an item without its key": lambda line: [line.replace('"id":', '"no_id":', 1)],
    "two paths on one column": lambda line: [line[:-1] + ', "conversation_id": "c"}'],
    "one item twice": lambda line: [line, line],
}


def test_deliveries_that_are_refused_change_nothing_and_the_next_good_one_loads(
    warehouse: Warehouse, record_property: Callable[[str, object], None]
) -> None:
    declare_items(warehouse)
    ((_, lines),) = nights_of_items(40)
    land_lines(warehouse, lines[:20], "good")
    warehouse.build()
    before = objects_in_bronze(warehouse)
    for name, spoil in SPOILT.items():
        land_lines(warehouse, [*lines[20:30], *spoil(lines[30])], name)
        stage, ledger = warehouse.stage(), warehouse.ledger("source_table", "batch_id", "status", "loaded_at")
        assert not warehouse.dbt("build").success
        assert warehouse.stage() == stage
        assert warehouse.ledger("source_table", "batch_id", "status", "loaded_at") == ledger
        assert objects_in_bronze(warehouse) == before
        ((reason,),) = [row[1:] for row in warehouse.ledger("batch_id", "reason") if row[0] == name]
        record_property(name, reason)
        with open_stage(warehouse.target).write_ledger() as entries:
            reject(entries, f"{SOURCE}.{ROOT}_raw", name, reason="certification")
    land_lines(warehouse, lines[20:], "good again")
    warehouse.build()
    assert objects_in_bronze(warehouse) == objects_of(lines)

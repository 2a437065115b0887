"""bronze_merge: rolling windows of mutable rows, keyed, gated by the record's hash."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from warehouse import EXTRACTED_AT, Row, Warehouse, contacts

FIRST = contacts(("V-1", "WAITING"), ("V-2", "ENDED"))
LATER = contacts(("V-1", "ENDED"), ("V-2", "ENDED"))
STAMPS = ("record_key", "batch_id", "pipeline_run_id", "date_to_warehouse", "update_date")


def message(warehouse: Warehouse) -> str:
    return warehouse.build().results["bronze_contacts"]


def test_a_changed_row_is_updated_and_keeps_its_first_seen_columns(warehouse: Warehouse) -> None:
    first = warehouse.deliver(FIRST)
    assert message(warehouse) == "1 batch: 2 landed, 2 inserted, 0 updated, 0 unchanged"
    before = {row[0]: row[1:] for row in warehouse.rows(*STAMPS)}
    assert {row[:2] for row in before.values()} == {(first.batch_id, first.pipeline_run_id)}

    warehouse.deliver(LATER)
    assert message(warehouse) == "1 batch: 2 landed, 0 inserted, 1 updated, 1 unchanged"
    after = {row[0]: row[1:] for row in warehouse.rows(*STAMPS)}
    assert after["V-1"][:3] == before["V-1"][:3]
    assert after["V-1"][3] > before["V-1"][3]
    assert after["V-2"] == before["V-2"]
    assert warehouse.rows("contact_id", "status") == [("V-1", "ENDED"), ("V-2", "ENDED")]

    warehouse.deliver(FIRST)
    warehouse.build()
    assert [row[:4] for row in warehouse.rows(*STAMPS)] == [(key, *before[key][:3]) for key in ("V-1", "V-2")]


def test_the_same_delivery_again_leaves_the_table_byte_identical(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    warehouse.build()
    whole = warehouse.whole()
    warehouse.deliver(FIRST)
    assert message(warehouse) == "1 batch: 2 landed, 0 inserted, 0 updated, 2 unchanged"
    assert warehouse.whole() == whole


def test_a_build_with_nothing_pending_changes_nothing(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    warehouse.build()
    snapshot = warehouse.snapshot()
    assert message(warehouse) == "nothing new"
    assert warehouse.snapshot() == snapshot


def test_overlapping_windows_leave_one_row_a_key_and_keys_outside_untouched(warehouse: Warehouse) -> None:
    for day in range(4):
        warehouse.deliver(contacts(*((f"C-{number}", f"day {day}") for number in range(day, day + 3))))
    assert message(warehouse) == "4 batches: 12 landed, 6 inserted, 6 updated, 0 unchanged"
    assert warehouse.rows("contact_id", "status") == [
        ("C-0", "day 0"), ("C-1", "day 1"), ("C-2", "day 2"), ("C-3", "day 3"), ("C-4", "day 3"), ("C-5", "day 3"),
    ]  # fmt: skip


def test_all_rows_of_a_batch_carry_one_update_date_from_the_warehouse(warehouse: Warehouse) -> None:
    warehouse.deliver(contacts(*((f"C-{number}", "OPEN") for number in range(50))))
    warehouse.build()
    stamps = warehouse.query(
        "select distinct update_date, date_to_warehouse, b.loaded_at,"
        " update_date > current_timestamp - interval '5 minutes'"
        " from bronze.bronze_contacts, hotelmind_warehouse.etl_batches as b"
    )
    assert len(stamps) == 1
    assert stamps[0][0] == stamps[0][1] == stamps[0][2]
    assert stamps[0][3]


def test_values_land_with_the_very_characters_received(warehouse: Warehouse) -> None:
    texts = [
        None,
        "",
        " ",
        r"\N",
        "NULL",
        "NA",
        "00042",
        "1e5",
        "TRUE",
        "  two before",
        "a\r\nb",
        'she said ""',
        "Frühstück 🛎",
    ]
    warehouse.deliver(contacts(*((f"T-{number:02}", text) for number, text in enumerate(texts))))
    warehouse.build()
    assert [row[1] for row in warehouse.rows("record_key", "status")] == texts


def test_columns_in_another_order_touch_no_row(warehouse: Warehouse) -> None:
    warehouse.deliver([{"Contact ID": "R-1", "Status": "OPEN", "Channel": "EMAIL"}])
    warehouse.build()
    whole = warehouse.whole()
    warehouse.deliver([{"Channel": "EMAIL", "Contact ID": "R-1", "Status": "OPEN"}])
    warehouse.build()
    assert warehouse.whole() == whole


def test_the_hash_sees_what_the_eye_may_miss(warehouse: Warehouse) -> None:
    def two(*rows: tuple[str, str | None, str | None]) -> list[Row]:
        return [{"Contact ID": key, "First": first, "Second": second} for key, first, second in rows]

    warehouse.deliver(
        two(("H-1", "a", "bc"), ("H-2", None, "v"), ("H-3", "", "v"), ("H-4", "Open", "v"), ("H-5", "x", "x"))
    )
    warehouse.build()
    warehouse.deliver(
        two(("H-1", "ab", "c"), ("H-2", "v", None), ("H-3", None, "v"), ("H-4", " open", "v"), ("H-5", "x", "x"))
    )
    assert message(warehouse) == "1 batch: 5 landed, 0 inserted, 4 updated, 1 unchanged"


def test_identical_records_of_one_key_become_one_row(warehouse: Warehouse) -> None:
    warehouse.deliver(contacts(("U-1", "OPEN"), ("U-1", "OPEN"), ("U-2", "OPEN")))
    assert message(warehouse) == "1 batch: 3 landed, 2 inserted, 0 updated, 1 unchanged"


@pytest.mark.parametrize("filled", [False, True], ids=["empty target", "filled target"])
def test_one_key_with_two_contents_is_refused_and_named(warehouse: Warehouse, filled: bool) -> None:
    if filled:
        warehouse.deliver(contacts(("U-1", "OPEN"), ("U-2", "OPEN")))
    warehouse.build()
    snapshot = warehouse.snapshot()
    warehouse.deliver(contacts(("U-1", "OPEN"), ("U-1", "CLOSED"), ("U-2", "OPEN")), batch_id="bad")
    failure = warehouse.dbt("build").failure()
    assert "desk.contacts bad" in failure
    assert "1 keys of contact_id have two contents: 'U-1' (records 1 and 2)" in failure
    assert warehouse.refused() == snapshot
    (reason,) = warehouse.query("select reason from hotelmind_warehouse.etl_batches where status = 'landed'")
    assert "two contents: 'U-1'" in reason[0]


@pytest.mark.parametrize("missing", [None, "", "   ", "\t\n"], ids=["NULL", "empty", "blank", "tab and line end"])
def test_a_missing_key_is_refused_with_its_records_and_lines(warehouse: Warehouse, missing: str | None) -> None:
    warehouse.build()
    snapshot = warehouse.snapshot()
    warehouse.deliver(contacts(("K-1", "OPEN"), (missing, "OPEN"), (missing, "CLOSED")))
    failure = warehouse.dbt("build").failure()
    assert "contact_id is NULL, empty or blank in 2 of 3 records: record 2, 3 (line 3, 4" in failure
    assert warehouse.refused() == snapshot
    assert warehouse.query("select count(*) from bronze.bronze_contacts") == [(0,)]


def test_composite_keys_never_meet(warehouse: Warehouse) -> None:
    warehouse.model(record_key=["contact_id", "leg"])
    parts = [
        ("a", "bc"),
        ("ab", "c"),
        ("a|b", "c"),
        ("a", "b|c"),
        ("a-", "b"),
        ("a", "-b"),
        ("a\\", "|b"),
        ("a\\|", "b"),
    ]
    rows = [{"Contact ID": first, "Leg": second} for first, second in parts]
    warehouse.deliver(rows)
    warehouse.build()
    assert len({row[0] for row in warehouse.rows("record_key")}) == len(parts)
    assert ("a\\|b|c",) in warehouse.rows("record_key")
    warehouse.deliver(rows)
    assert message(warehouse) == "1 batch: 8 landed, 0 inserted, 0 updated, 8 unchanged"


def test_a_key_of_one_part_stands_verbatim_or_as_its_md5(warehouse: Warehouse) -> None:
    warehouse.deliver(contacts(("0007|x\\", "OPEN")))
    warehouse.build()
    assert warehouse.rows("record_key") == [("0007|x\\",)]
    hashed = warehouse.beside("hashed", warehouse.directory / "hashed")
    hashed.model(use_hash=True)
    hashed.deliver(contacts(("a", "OPEN")))
    hashed.build()
    assert hashed.rows("record_key") == [("0cc175b9c0f1b6a831c399e269772661",)]


def test_a_new_column_is_added_and_touches_only_rows_that_have_it(warehouse: Warehouse) -> None:
    warehouse.deliver(contacts(("A-1", "OPEN"), ("A-2", "OPEN")))
    warehouse.build()
    warehouse.deliver(
        [
            {"Contact ID": "A-1", "Status": "OPEN", "Language": None},
            {"Contact ID": "A-2", "Status": "OPEN", "Language": "fr"},
        ]
    )
    build = warehouse.build()
    assert build.results["bronze_contacts"] == "1 batch: 2 landed, 0 inserted, 1 updated, 1 unchanged"
    assert any("new columns: language" in line for line in build.log)
    assert warehouse.rows("contact_id", "language") == [("A-1", None), ("A-2", "fr")]


def test_a_new_column_is_left_out_where_the_model_says_so(warehouse: Warehouse) -> None:
    warehouse.model(config={"on_schema_change": "ignore"})
    warehouse.deliver(contacts(("A-1", "OPEN")))
    warehouse.build()
    whole = warehouse.whole()
    warehouse.deliver([{"Contact ID": "A-1", "Status": "OPEN", "Language": "fr"}])
    assert message(warehouse) == "1 batch: 1 landed, 0 inserted, 0 updated, 1 unchanged"
    assert warehouse.whole() == whole


def test_a_new_column_is_refused_where_the_model_says_so(warehouse: Warehouse) -> None:
    warehouse.model(config={"on_schema_change": "fail"})
    warehouse.deliver(contacts(("A-1", "OPEN")))
    warehouse.build()
    snapshot = warehouse.snapshot()
    warehouse.deliver([{"Contact ID": "A-1", "Status": "OPEN", "Language": "fr"}])
    assert "column 'language' is new, and on_schema_change is fail" in warehouse.dbt("build").failure()
    assert warehouse.refused() == snapshot


def test_a_column_that_is_gone_is_refused_and_named(warehouse: Warehouse) -> None:
    warehouse.deliver([{"Contact ID": "M-1", "Status": "OPEN", "Channel": "EMAIL"}])
    warehouse.build()
    snapshot = warehouse.snapshot()
    warehouse.deliver(contacts(("M-1", "CLOSED")))
    failure = warehouse.dbt("build").failure()
    assert "column 'channel' is gone" in failure
    assert "optional_columns in models" in failure
    assert warehouse.refused() == snapshot


def test_an_absent_optional_column_keeps_its_stored_values(warehouse: Warehouse) -> None:
    warehouse.model(optional_columns=["channel"])
    whole = [
        {"Contact ID": "M-1", "Status": "OPEN", "Channel": "EMAIL"},
        {"Contact ID": "M-2", "Status": "OPEN", "Channel": "CHAT"},
    ]
    warehouse.deliver(whole)
    warehouse.build()
    warehouse.deliver(contacts(("M-1", "CLOSED"), ("M-2", "OPEN"), ("M-3", "OPEN")))
    assert message(warehouse) == "1 batch: 3 landed, 1 inserted, 1 updated, 1 unchanged"
    assert warehouse.rows("contact_id", "status", "channel") == [
        ("M-1", "CLOSED", "EMAIL"), ("M-2", "OPEN", "CHAT"), ("M-3", "OPEN", None),
    ]  # fmt: skip
    # The hash is that of the whole row: the column's return changes nothing where its value is the stored one.
    warehouse.deliver([{**row, "Status": status} for row, status in zip(whole, ("CLOSED", "OPEN"), strict=True)])
    assert message(warehouse) == "1 batch: 2 landed, 0 inserted, 0 updated, 2 unchanged"


def test_a_stored_row_without_a_hash_counts_as_changed_once(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    warehouse.build()
    warehouse.query("update bronze.bronze_contacts set record_hash = null where contact_id = 'V-1'")
    warehouse.deliver(FIRST)
    assert message(warehouse) == "1 batch: 2 landed, 0 inserted, 1 updated, 1 unchanged"
    warehouse.deliver(FIRST)
    assert message(warehouse) == "1 batch: 2 landed, 0 inserted, 0 updated, 2 unchanged"


ORDER = {"column": "revision", "type": "bigint"}


def revisions(*rows: tuple[str, str, str | None]) -> list[Row]:
    return [{"Contact ID": key, "Status": status, "Revision": revision} for key, status, revision in rows]


def test_order_by_keeps_the_highest_record_of_a_key(warehouse: Warehouse) -> None:
    warehouse.model(order_by=ORDER)
    warehouse.deliver(
        revisions(("W-1", "ninth", "9"), ("W-1", "tenth", "10"), ("W-1", "none", None), ("W-2", "only", None))
    )
    warehouse.build()
    assert warehouse.rows("contact_id", "status") == [("W-1", "tenth"), ("W-2", "only")]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((("W-1", "a", "9"), ("W-1", "b", "9")), "have two contents that tie on revision: 'W-1' (records 1 and 2)"),
        ((("W-1", "a", "9"), ("W-1", "b", "x9")), "order_by revision: 'x9' in record 2 is no bigint"),
    ],
    ids=["a tie", "no number"],
)
def test_an_order_that_does_not_decide_is_refused(warehouse: Warehouse, rows: Any, expected: str) -> None:
    warehouse.model(order_by=ORDER)
    warehouse.deliver(revisions(*rows))
    assert expected in warehouse.dbt("build").failure()


def window(start: int, end: int) -> dict[str, date]:
    return {"window_start": date(2026, 1, start), "window_end": date(2026, 1, end)}


def test_a_window_that_landed_late_is_set_aside_when_a_later_one_holds_it(warehouse: Warehouse) -> None:
    warehouse.deliver(LATER, batch_id="later", **window(1, 31))
    warehouse.build()
    whole = warehouse.whole()
    warehouse.deliver(FIRST, batch_id="late", extracted_at=EXTRACTED_AT, **window(2, 31))
    assert message(warehouse) == "nothing new"
    assert warehouse.whole() == whole
    assert warehouse.ledger("batch_id", "status") == [("late", "superseded"), ("later", "loaded")]


def test_a_window_that_landed_late_and_reaches_further_is_refused_with_its_dates(warehouse: Warehouse) -> None:
    warehouse.deliver(LATER, **window(2, 31))
    warehouse.build()
    snapshot = warehouse.snapshot()
    warehouse.deliver(FIRST, batch_id="2026-01-01..2026-01-30", extracted_at=EXTRACTED_AT, **window(1, 30))
    assert "ask for 2026-01-01..2026-01-30 again" in warehouse.dbt("build").failure()
    assert warehouse.refused() == snapshot


def test_an_empty_delivery_does_not_hide_that_a_column_is_gone(warehouse: Warehouse) -> None:
    warehouse.deliver([{"Contact ID": "M-1", "Status": "OPEN", "Channel": "EMAIL"}])
    warehouse.deliver([], columns=["Contact ID", "Status"])
    warehouse.build()
    warehouse.deliver(contacts(("M-1", "CLOSED")))
    assert "column 'channel' is gone" in warehouse.dbt("build").failure()


def test_a_column_of_any_name_is_loaded_twice(warehouse: Warehouse) -> None:
    names = ["is_new", "landed", "record", "stored", "changes", "is_blank", "order_text", "key", "mark", "batch"]
    for value in ("1", "2"):
        warehouse.deliver([{"Contact ID": "A", **dict.fromkeys(names, value)}])
        warehouse.build()
    assert warehouse.rows(*names) == [("2",) * len(names)]


def test_a_model_that_leaves_records_out_is_refused(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    text = warehouse.files["models/bronze_contacts.sql"] + "where status <> 'ENDED'\n"
    warehouse.write("models/bronze_contacts.sql", text)
    assert "1 records are read of 2; a bronze model keeps every record" in warehouse.dbt("build").failure()
    assert warehouse.ledger("status") == [("landed",)]


def test_two_models_of_one_source_are_refused(warehouse: Warehouse) -> None:
    warehouse.write("models/bronze_again.sql", warehouse.files["models/bronze_contacts.sql"])
    warehouse.deliver(FIRST)
    assert "loads the same source; its batches can be loaded by one model only" in warehouse.dbt("build").failure()
    assert warehouse.ledger("status") == [("landed",)]


def test_a_table_read_whole_is_set_aside_when_it_was_read_again_later(warehouse: Warehouse) -> None:
    warehouse.model(source_meta={"cursor": None})
    warehouse.deliver(LATER)
    warehouse.build()
    warehouse.deliver(FIRST, extracted_at=EXTRACTED_AT)
    assert message(warehouse) == "nothing new"
    assert warehouse.rows("contact_id", "status") == [("V-1", "ENDED"), ("V-2", "ENDED")]


def test_with_a_cursor_a_late_landed_batch_adds_keys_and_updates_what_is_newer(warehouse: Warehouse) -> None:
    warehouse.model(source_meta={"cursor": "updated_at"})

    def rows(*given: tuple[str, str, str]) -> list[Row]:
        return [{"Contact ID": key, "Status": status, "Updated At": moment} for key, status, moment in given]

    warehouse.deliver(rows(("A", "stored", "2026-01-02 10:00:00+00"), ("B", "stored", "2026-01-02 10:00:00+00")))
    warehouse.build()
    warehouse.deliver(
        # 10:30 in Athens is 08:30 UTC: a moment is compared, not its text.
        rows(
            ("A", "older", "2026-01-02 11:30:00+02"),
            ("B", "newer", "2026-01-02 10:00:00.000001+00"),
            ("C", "new", "2026-01-01 00:00:00+00"),
        ),
        extracted_at=EXTRACTED_AT - timedelta(days=1),
    )
    assert message(warehouse) == "1 batch: 3 landed, 1 inserted, 1 updated, 1 unchanged"
    assert warehouse.rows("contact_id", "status") == [("A", "stored"), ("B", "newer"), ("C", "new")]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"record_key": []}, "bronze_merge needs record_key"),
        ({"optional_columns": "channel"}, "optional_columns is 'channel', expected a list"),
        (
            {"config": {"on_schema_change": "apend"}},
            "on_schema_change is 'apend', expected one of: append_new_columns, fail, ignore",
        ),
        ({"recordkey": ["contact_id"]}, "unknown setting 'recordkey' under meta, expected: record_key"),
        ({"order_by": "revision"}, "order_by is 'revision', expected {column: ..., type: ...}"),
        ({"materialized": "append", "source_meta": {"cursor": "updated_at"}}, "append would double or lose the rows"),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, str) else "",
)
def test_a_wrong_setting_is_refused_before_anything_is_read(warehouse: Warehouse, settings: Any, expected: str) -> None:
    warehouse.model(**settings)
    warehouse.deliver(FIRST)
    assert expected in warehouse.dbt("build").failure()
    assert warehouse.ledger("status", "reason") == [("landed", None)]


def test_a_model_that_drops_the_record_number_is_told_to_keep_it(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    text = warehouse.files["models/bronze_contacts.sql"].replace("select *", "select contact_id, status")
    warehouse.write("models/bronze_contacts.sql", text)
    assert "bronze_contacts: keep the column record_number" in warehouse.dbt("build").failure()
    assert warehouse.ledger("status", "reason") == [("landed", None)]


def test_a_model_may_keep_fewer_columns(warehouse: Warehouse) -> None:
    text = warehouse.files["models/bronze_contacts.sql"].replace("select *", "select contact_id, record_number")
    warehouse.write("models/bronze_contacts.sql", text)
    warehouse.deliver(FIRST)
    warehouse.build()
    warehouse.deliver(LATER)
    assert message(warehouse) == "1 batch: 2 landed, 0 inserted, 0 updated, 2 unchanged"


def test_all_wrong_settings_are_named_at_once(warehouse: Warehouse) -> None:
    warehouse.model(record_key=[], use_hash="yes", unknown=1)
    failure = warehouse.dbt("build").failure()
    assert "record_key" in failure
    assert "use_hash is 'yes'" in failure
    assert "unknown setting 'unknown'" in failure


def test_an_empty_delivery_loads_zero_rows_and_moves_the_last_run(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    warehouse.build()
    whole = warehouse.whole()
    run_at = warehouse.query("select last_run_at from hotelmind_warehouse.etl_watermarks")
    warehouse.deliver([])
    assert message(warehouse) == "1 batch: 0 landed, 0 inserted, 0 updated, 0 unchanged"
    warehouse.deliver([], columns=["Contact ID"])
    assert message(warehouse) == "1 batch: 0 landed, 0 inserted, 0 updated, 0 unchanged"
    assert warehouse.whole() == whole
    assert warehouse.query("select last_run_at from hotelmind_warehouse.etl_watermarks") > run_at


def test_without_any_batch_the_table_has_the_columns_its_yaml_describes(warehouse: Warehouse) -> None:
    warehouse.model(columns=["contact_id", "status"])
    assert message(warehouse) == "nothing new"
    assert warehouse.rows("record_key", "contact_id", "status", "update_date") == []
    warehouse.deliver([{"Contact ID": "A"}])
    build = warehouse.build()
    assert any(line.endswith("described but not delivered: status") for line in build.log)


def test_a_column_that_is_described_later_is_added_to_the_table(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    warehouse.build()
    warehouse.model(columns=["contact_id", "booked_at"])
    assert message(warehouse) == "nothing new"
    assert warehouse.rows("contact_id", "booked_at") == [("V-1", None), ("V-2", None)]


def test_the_empty_flag_makes_the_table_and_loads_nothing(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    assert warehouse.build("--empty").results["bronze_contacts"] == "nothing new"
    assert warehouse.ledger("status") == [("landed",)]


def test_a_full_refresh_leaves_bronze_as_it_is_and_says_so(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    warehouse.build()
    whole = warehouse.whole()
    build = warehouse.build("--full-refresh")
    assert warehouse.whole() == whole
    assert any("--full-refresh leaves bronze as it is" in line for line in build.log)


def test_outside_a_run_landed_is_the_bronze_table_itself(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    warehouse.build()
    assert warehouse.dbt("compile").success
    compiled = next(warehouse.directory.glob("target/compiled/**/bronze_contacts.sql")).read_text()
    # On Snowflake without quotes.
    assert compiled.replace('"', "").rstrip().endswith(".bronze.bronze_contacts")
    assert warehouse.dbt("show", "--select", "bronze_contacts").success


def test_nothing_of_a_load_is_left_but_the_table(warehouse: Warehouse) -> None:
    warehouse.deliver(FIRST)
    warehouse.build()
    assert [name for name in warehouse.tables() if not name.startswith("stage.")] == [
        "bronze.bronze_contacts",
        "hotelmind_warehouse.etl_batches",
        "hotelmind_warehouse.etl_watermarks",
    ]
    assert len(warehouse.stage()) == 1

"""bronze_merge: rolling windows of mutable rows."""

from __future__ import annotations

from warehouse import Warehouse

FIRST = [{"Contact ID": "V-1", "Status": "WAITING"}, {"Contact ID": "V-2", "Status": "ENDED"}]
LATER = [{"Contact ID": "V-1", "Status": "ENDED"}, {"Contact ID": "V-2", "Status": "ENDED"}]


def test_new_rows_are_inserted_changed_ones_updated_and_the_rest_untouched(warehouse: Warehouse) -> None:
    first = warehouse.deliver(FIRST)
    assert warehouse.build().results["bronze_contacts"] == "1 batch: 2 landed, 2 inserted, 0 updated, 0 unchanged"
    before = {
        row[0]: row[1:]
        for row in warehouse.rows("record_key", "batch_id", "pipeline_run_id", "date_to_warehouse", "update_date")
    }

    warehouse.deliver(LATER)
    assert warehouse.build().results["bronze_contacts"] == "1 batch: 2 landed, 0 inserted, 1 updated, 1 unchanged"
    after = {
        row[0]: row[1:]
        for row in warehouse.rows("record_key", "batch_id", "pipeline_run_id", "date_to_warehouse", "update_date")
    }
    assert after["V-1"][:3] == before["V-1"][:3] == (first.batch_id, first.pipeline_run_id, before["V-1"][2])
    assert after["V-1"][3] > before["V-1"][3]
    assert after["V-2"] == before["V-2"]
    assert warehouse.rows("contact_id", "status") == [("V-1", "ENDED"), ("V-2", "ENDED")]

    whole = warehouse.whole()
    warehouse.deliver(LATER)
    assert warehouse.build().results["bronze_contacts"] == "1 batch: 2 landed, 0 inserted, 0 updated, 2 unchanged"
    assert warehouse.whole() == whole

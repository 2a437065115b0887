"""What a load sends to Snowflake, in its order; and what it leaves when a statement fails."""

from __future__ import annotations

import json
import re

import pytest

from tests.snowflake.recorder import Statement
from tests.snowflake.rules import broken_rules, is_claim, is_watermark_move
from tests.snowflake.stand_in import REPOSITORY, StandIn
from warehouse import Warehouse, contacts

# Steps of a load, in words; what is read to decide or to check has none.
STEPS = {
    "ROLLBACK": r"rollback",
    "BEGIN": r"begin",
    "COMMIT": r"commit",
    "make landing": r"create or replace temporary table \S+\.landing_\w+ \(.*",
    "COPY": r"copy into \S+\.landing_\w+ from @.*",
    "make keys": r"create temporary table \S+_keys as .*",
    "make changes": r"create temporary table \S+_changes as .*",
    "collect changes": r"insert into \S+_changes .*",
    "MERGE": r"merge into \S+\.bronze\.bronze_contacts as .*",
    "DELETE": r"delete from \S+\.bronze\.bronze_contacts .*",
    "INSERT": r"insert into \S+\.bronze\.bronze_contacts .*",
    "claim": r"update \S+\.etl_batches set status = 'loaded'.*",
    "watermark": r"merge into \S+\.etl_watermarks as .*",
    "drop": r"drop table if exists \S+\.landing_\w+",
}
BEFORE = ["ROLLBACK", "make landing", "COPY", "make keys"]
AFTER = ["claim", "watermark", "COMMIT", "drop", "drop"]
ORDER = {
    "bronze_merge": [*BEFORE, "make changes", "BEGIN", "collect changes", "MERGE", *AFTER, "drop"],
    "batch_replace": [*BEFORE, "BEGIN", "DELETE", "INSERT", *AFTER],
    "truncate_insert": [*BEFORE, "BEGIN", "DELETE", "INSERT", *AFTER],
    "append": [*BEFORE, "BEGIN", "INSERT", *AFTER],
}
# Described, so that the table has them before the first batch.
COLUMNS = ["contact_id", "status"]
REFUSE_NULL = "alter table bronze.bronze_contacts alter column status set not null"


def steps(statements: list[Statement]) -> list[str]:
    """The steps that statements are, but for reads."""
    found = []
    for one in statements:
        names = [name for name, pattern in STEPS.items() if re.fullmatch(pattern, one.text)]
        if not one.text.startswith("select "):
            found.append(names[0] if names else one.text)
    return found


def loads(account: StandIn) -> list[list[Statement]]:
    """The statements of each session that loaded a bronze model, in the order of the sessions."""
    sent = [one for one in account.statements() if one.application == "dbt"]
    sessions = dict.fromkeys(one.session for one in sent if ".landing_" in one.text)
    return [[one for one in sent if one.session == session] for session in sessions]


@pytest.mark.parametrize("strategy", ORDER)
def test_a_load_makes_all_its_relations_before_the_transaction_and_claims_last(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn, strategy: str
) -> None:
    snowflake_warehouse.model(strategy, columns=COLUMNS)
    snowflake_warehouse.build()
    snowflake_warehouse.deliver(contacts(("A", "1")))
    snowflake_warehouse.build()
    (load,) = loads(snowflake_account)
    assert steps(load) == ORDER[strategy]


def test_the_documented_order_is_that_order() -> None:
    page = (REPOSITORY / "docs" / "snowflake.md").read_text()
    documented = {name: steps.split(", ") for name, steps in re.findall(r"^    (\w+): (make landing, .*)$", page, re.M)}
    assert documented == {name: steps[1:] for name, steps in ORDER.items()}


def test_each_of_several_batches_is_a_transaction_of_its_own(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn
) -> None:
    snowflake_warehouse.model(columns=COLUMNS)
    snowflake_warehouse.deliver(contacts(("A", "1")))
    snowflake_warehouse.deliver(contacts(("A", "2")))
    snowflake_warehouse.build()
    (load,) = loads(snowflake_account)
    one_batch = ORDER["bronze_merge"][1:]
    made = [step for step in steps(load) if not step.startswith("create table ")]
    assert made == ["ROLLBACK", *one_batch, *one_batch]


def test_a_batch_that_changes_nothing_sends_no_merge_and_still_claims(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn
) -> None:
    for _ in range(2):
        snowflake_warehouse.deliver(contacts(("A", "1")))
        snowflake_warehouse.build()
    assert steps(loads(snowflake_account)[-1]) == [step for step in ORDER["bronze_merge"] if step != "MERGE"]


def test_an_empty_batch_copies_nothing(snowflake_warehouse: Warehouse, snowflake_account: StandIn) -> None:
    snowflake_warehouse.build()
    snowflake_warehouse.deliver([])
    snowflake_warehouse.build()
    (load,) = loads(snowflake_account)
    assert steps(load) == [step for step in ORDER["bronze_merge"] if step not in ("COPY", "MERGE")]


def test_a_batch_is_uploaded_and_looked_for_before_it_is_entered(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn
) -> None:
    snowflake_warehouse.build()
    snowflake_warehouse.deliver(contacts(("A", "1")))
    sent = [one.text.split(" ")[0] for one in snowflake_account.statements() if one.application == "hotelmind_loaders"]
    # The connector asks for the upload's address with a second PUT.
    assert sent == ["select", "put", "put", "list", "begin", "insert", "update", "commit"]


def two_models(warehouse: Warehouse) -> None:
    """bronze_contacts, and bronze_zeta after it."""
    table = {"name": "zeta", "config": {"meta": {"record_key": ["contact_id"]}}}
    warehouse.write("models/_zeta__sources.yml", json.dumps({"sources": [{"name": "zeta", "tables": [table]}]}))
    warehouse.write(
        "models/bronze_zeta.sql",
        "{{ config(materialized='bronze_merge', schema='bronze') }}\nselect * from {{ landed('zeta', 'zeta') }}\n",
    )


FAILING = {
    "a failed MERGE": ("bronze_merge", "MERGE"),
    "a failed INSERT after a DELETE": ("batch_replace", "INSERT"),
    "a failed claim": ("bronze_merge", "claim"),
}


@pytest.mark.parametrize("case", FAILING)
def test_what_failed_is_never_committed_and_the_next_model_begins_clean(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn, case: str
) -> None:
    warehouse = snowflake_warehouse
    strategy, failing = FAILING[case]
    two_models(warehouse)
    warehouse.model(strategy)
    warehouse.deliver(contacts(("A", "1")), batch_id="same")
    warehouse.build()
    if failing == "claim":
        # Another session has changed the ledger's row meanwhile: on the stand-in the update fails.
        ledger = "update hotelmind_warehouse.etl_batches set reason = 'touched' where status = 'landed'"
        snowflake_account.before("etl_batches set status = 'loaded'", ledger)
    else:
        warehouse.query(REFUSE_NULL)
    before = warehouse.whole()
    warehouse.deliver(contacts(("A", "2" if failing == "claim" else None)), batch_id="same")
    warehouse.deliver(contacts(("Z", "1")), source_table="zeta.zeta")
    build = warehouse.dbt("build", "--threads", "1")
    assert not build.success
    assert build.results["bronze_zeta"] == "1 batch: 1 landed, 1 inserted, 0 updated, 0 unchanged"
    assert warehouse.whole() == before
    assert warehouse.ledger("status") == [("loaded",), ("landed",), ("loaded",)]

    failed, following = loads(snowflake_account)[-2:]
    assert [one.failed for one in failed] == [False] * (len(failed) - 1) + [True]
    assert steps(failed)[-1] == failing
    # Its session ended there, which rolls back; the next model has a session of its own, and ends whatever was open.
    assert following[0].session > failed[0].session
    assert steps(following)[0] == "ROLLBACK"


def test_a_load_that_another_run_was_quicker_with_is_rolled_back(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn
) -> None:
    warehouse = snowflake_warehouse
    warehouse.model("append", record_key=[], columns=COLUMNS)
    warehouse.build()
    warehouse.deliver(contacts(("A", "1")))
    snowflake_account.before("_keys as select", "update hotelmind_warehouse.etl_batches set status = 'loaded'")
    assert warehouse.build().results["bronze_contacts"] == "nothing new"
    assert warehouse.whole() == []
    load = loads(snowflake_account)[-1]
    assert steps(load) == [*BEFORE, "BEGIN", "INSERT", "claim", "ROLLBACK", "drop", "drop"]


def test_a_target_that_keeps_its_sessions_is_refused_before_anything_is_changed(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn
) -> None:
    for setting in (True, None):
        snowflake_warehouse.credentials["reuse_connections"] = setting
        failure = snowflake_warehouse.dbt("build")
        assert not failure.success
        assert "set reuse_connections: false in profiles.yml" in "\n".join([failure.error, *failure.results.values()])
    changing = [one.text for one in snowflake_account.statements() if "landing" in one.text or "etl_" in one.text]
    assert changing == []


def test_in_a_session_that_is_kept_the_next_model_still_undoes_the_half(
    snowflake_warehouse: Warehouse, snowflake_account: StandIn
) -> None:
    """Without the check above: the ROLLBACK that every bronze load begins with is the second line of defence."""
    warehouse = snowflake_warehouse
    two_models(warehouse)
    warehouse.model("batch_replace")
    warehouse.deliver(contacts(("A", "1")), batch_id="same")
    warehouse.build()
    warehouse.query(REFUSE_NULL)
    before = warehouse.whole()
    warehouse.deliver(contacts(("A", None)), batch_id="same")
    warehouse.deliver(contacts(("Z", "1")), source_table="zeta.zeta")
    project = warehouse.files["dbt_project.yml"]
    warehouse.write("dbt_project.yml", re.sub("on-run-start: .*", "", project))
    warehouse.credentials["reuse_connections"] = True
    assert not warehouse.dbt("build", "--threads", "1").success
    assert warehouse.whole() == before
    (kept,) = [load for load in loads(snowflake_account) if any(one.failed for one in load)]
    failed = [one.failed for one in kept].index(True)
    assert kept[failed + 1].text == "rollback"
    after = [*AFTER, "drop"]
    assert steps(kept)[-len(after) :] == after


def sent(*texts: str) -> list[Statement]:
    return [Statement(1, "dbt", text) for text in texts]


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (sent("begin", "create temporary table a (b int)", "commit"), "in a transaction: create temporary table"),
        (sent("begin", "insert into a values (1)", "alter table a add column b int"), "in a transaction: alter table"),
        (sent("begin", "copy into a from @b", "commit"), "in a transaction: copy into"),
        (
            sent("begin", "update s.etl_batches set status = 'loaded'", "insert into a values (1)", "commit"),
            "after the claim: insert into a",
        ),
    ],
    ids=["temporary table", "DDL of a transaction left open", "COPY", "rows after the claim"],
)
def test_a_broken_order_is_noticed(statements: list[Statement], expected: str) -> None:
    assert [problem[: len(expected)] for problem in broken_rules(statements)] == [expected]


def test_the_order_of_a_load_breaks_no_rule() -> None:
    load = sent(
        "create temporary table a (b int)",
        "begin",
        "insert into a values (1)",
        "update s.etl_batches set status = 'loaded'",
        "merge into s.etl_watermarks as mark using b",
        "commit",
        "drop table a",
    )
    assert broken_rules(load) == []
    assert [is_claim(one) for one in load].count(True) == [is_watermark_move(one) for one in load].count(True) == 1

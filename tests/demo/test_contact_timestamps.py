"""ContactTimestampsReport of the sandbox: the events behind the contacts of the export."""

from collections import Counter
from datetime import date

import pytest

from demo.sandbox import Sandbox

HEADER = (
    "Timezone Filter,Timestamp,Event Type,Contact ID,Conversation ID,Customer ID,Channel,Initiator Type,Initiator ID,"
    "Initiator Agent Name,Assigned Inbox ID,Assigned Inbox Name,Assigned Agent ID,Assigned Agent Name,"
    "Transferred To Inbox Name,Final IVR Selection,Fulfilled by Contact ID"
)
MONTH = {"first": "2026-01-01", "last": "2026-01-31"}


@pytest.fixture(scope="module")
def desk():
    with Sandbox(today=date(2026, 1, 31), requests_per_minute=None) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def read_events(desk, ask, read_rows):
    return lambda **window: read_rows(ask(desk, "ContactTimestampsReport", **window))


@pytest.fixture(scope="module")
def events(read_events):
    return read_events(**MONTH)


@pytest.fixture(scope="module")
def contacts(desk, ask, read_rows):
    return read_rows(ask(desk, **MONTH))


def test_the_header_has_its_17_columns_in_their_order(desk, ask):
    assert ask(desk, "ContactTimestampsReport").content.decode().splitlines()[0] == HEADER


@pytest.mark.parametrize(
    ("event_type", "column"),
    [
        ("CONTACT/STARTED", "Queued At"),
        ("CONTACT/OFFERED", "Offered At"),
        ("CONTACT/OFFER_ACCEPTED", "Accepted At"),
        ("CONTACT/FULFILLED", "Fulfilled At"),
        ("CONTACT/ENDED", "Ended At"),
        ("CONTACT/JOINED", "Answered At (Outbound)"),
    ],
)
def test_the_first_event_of_a_type_is_the_moment_in_the_export(events, contacts, event_type, column):
    first: dict[str, str] = {}
    for event in sorted(events, key=lambda event: event["Timestamp"]):
        if event["Event Type"] == event_type:
            first.setdefault(event["Contact ID"], event["Timestamp"])
    exported = {contact["Contact ID"]: contact[column] for contact in contacts if contact[column]}
    assert len(exported) > 50
    assert {key: first.get(key) for key in exported} == exported


@pytest.mark.parametrize(
    ("event_type", "initiator", "column"),
    [
        ("CONTACT/MESSAGE_RECEIVED", "Customer", "Messages from Customer"),
        ("CONTACT/MESSAGE_SENT", "Agent", "Messages from Agent"),
        ("CONTACT/OFFER_ACCEPTED", "Agent", "Times Accepted"),
        ("CONTACT/TRANSFERRED", "Agent", "Times Transferred"),
        ("CONTACT/HOLD_STARTED", "Agent", "Times on Hold Total"),
    ],
)
def test_the_export_counts_these_events(events, contacts, event_type, initiator, column):
    counts = Counter(
        event["Contact ID"]
        for event in events
        if event["Event Type"] == event_type and event["Initiator Type"] == initiator
    )
    assert sum(counts.values()) > 50
    assert {contact["Contact ID"]: int(contact[column]) for contact in contacts} == {
        contact["Contact ID"]: counts[contact["Contact ID"]] for contact in contacts
    }


def test_an_event_names_who_did_it_and_who_was_in_charge_just_before(events):
    accepted = next(event for event in events if event["Event Type"] == "CONTACT/OFFER_ACCEPTED")
    assert accepted["Initiator Type"] == "Agent"
    assert accepted["Initiator Agent Name"]
    assert accepted["Assigned Agent Name"] == ""
    transferred = next(event for event in events if event["Event Type"] == "CONTACT/TRANSFERRED")
    assert transferred["Transferred To Inbox Name"] != transferred["Assigned Inbox Name"] != ""


def test_windows_of_single_days_give_the_same_events_as_one_of_them_all(read_events):
    days = [f"2026-01-0{day}" for day in range(1, 8)]
    parts = [event for day in days for event in read_events(first=day, last=day)]
    key = lambda event: tuple(event.values())  # noqa: E731
    assert sorted(parts, key=key) == sorted(read_events(first=days[0], last=days[-1]), key=key)


def test_some_events_come_twice_and_no_more(events):
    copies = Counter(tuple(event.values()) for event in events)
    assert set(copies.values()) == {1, 2}


def test_a_day_gets_a_late_copy_when_it_is_read_again_a_day_later(desk, read_events):
    day = {"first": "2026-01-30", "last": "2026-01-30"}
    before = Counter(tuple(event.values()) for event in read_events(**day))
    desk.today = date(2026, 2, 1)
    after = Counter(tuple(event.values()) for event in read_events(**day))
    desk.today = date(2026, 1, 31)
    late = after - before
    assert len(late) == 2
    assert all(row in before for row in late)
    assert after == before + late

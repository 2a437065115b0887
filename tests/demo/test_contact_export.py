"""ContactExportReportV3 of the sandbox: a believable desk whose past changes when the day turns."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache

import pytest

from demo.places import HOTELS
from demo.sandbox import Sandbox

HEADER = (
    "Timezone Filter,Channel Filter,Inboxes Filter,Queued At,Customer ID,Conversation ID,Contact ID,Conversation Link,"
    "Channel,Direction,Contact Initiator,Entry Point,Final IVR Selection,Fulfilled Type,Status,Inbox When Queued,"
    "Inbox When Ended,Agent When Ended,Offered At,Accepted At,Fulfilled At,Due At,Ended At,Answered At (Outbound),"
    "SLA Target (sec),Queued-to-Fulfilled (sec),Queued-to-Fulfilled within Business Hours (sec),"
    "Queued-to-Accepted (sec),Queued-to-Ended (sec),Accepted-to-Fulfilled (sec),Seconds within (+) or over (-) SLA,"
    "Fulfilled-to-Ended (sec),Fulfilled by Contact ID,Contact Handle Time (sec),After Contact Time (sec),"
    "Total Contact Handle Time (sec),Total Talk Time,Hold Time Total (sec),Hold Time - Manual (sec),"
    "Hold Time - Warm Transfer (sec),Hold Time - Cold Transfer (sec),Hold Time - Conference (sec),Messages Total,"
    "Messages from Customer,Messages from Agent,Messages from Rules,Messages from API,Avg Agent Reply Time (sec),"
    "Avg Customer Reply Time (sec),Times Offered,Times Accepted,Times Missed,Times Declined,Times Transferred,"
    "Times on Hold Total,Times on Hold - Manual,Times on Hold - Warm Transfer,Times on Hold - Cold Transfer,"
    "Times on Hold - Conference,Payment Requests - Completed,Payment Requests - Declined,"
    "Payment Amount - Completed (USD),Payment Amount - Declined (USD)"
)
TODAY = date(2026, 1, 31)
CAN_BE_CORRECTED = {
    "Status",
    "Inbox When Ended",
    "After Contact Time (sec)",
    "Total Contact Handle Time (sec)",
}


@pytest.fixture(scope="module")
def read_contacts(ask, read_rows):
    """Contacts by id, as a sandbox shows them on a day when asked for the 31 days before it."""
    with Sandbox(today=TODAY, requests_per_minute=None) as sandbox:

        @cache
        def read(today: date = TODAY) -> dict[str, dict[str, str]]:
            sandbox.today = today
            first, last = today - timedelta(days=31), today - timedelta(days=1)
            return {row["Contact ID"]: row for row in read_rows(ask(sandbox, first=str(first), last=str(last)))}

        yield read


@pytest.fixture(scope="module")
def contacts(read_contacts):
    return list(read_contacts().values())


def new_days(count: int) -> Iterator[date]:
    return (TODAY + timedelta(days=number) for number in range(1, count + 1))


def seconds_between(contact: dict[str, str], first: str, last: str) -> float:
    return (datetime.fromisoformat(contact[last]) - datetime.fromisoformat(contact[first])).total_seconds()


def test_the_header_has_the_63_columns_in_their_order(sandbox, ask):
    assert ask(sandbox).content.decode().splitlines()[0] == HEADER
    assert HEADER.count(",") == 62


def test_every_day_has_its_number_of_contacts_each_with_an_id_of_its_own(contacts):
    assert len({contact["Contact ID"] for contact in contacts}) == len(contacts) == 31 * 40


def test_all_kinds_of_contacts_occur(contacts):
    assert {contact["Channel"] for contact in contacts} == {
        *("PHONE_CALL", "CHAT", "SMS", "EMAIL", "FB_MESSENGER", "WHATSAPP")
    }
    assert {contact["Direction"] for contact in contacts} == {"INBOUND", "OUTBOUND"}
    assert {contact["Status"] for contact in contacts} == {"", "ANSWERED", "UNANSWERED", "ABANDONED", "UNKNOWN"}
    assert {contact["Fulfilled Type"] for contact in contacts} == {"", "RESPONDED", "CANCELED"}
    inboxes = {contact["Inbox When Queued"] for contact in contacts}
    assert len(inboxes) == 6
    assert {f"Front Desk {hotel.city}" for hotel in HOTELS[:3]} < inboxes


def test_ids_are_url_safe_and_may_begin_with_a_dash(contacts):
    ids = [contact[column] for contact in contacts for column in ("Contact ID", "Conversation ID", "Customer ID")]
    assert {len(id_) for id_ in ids} == {22}
    assert {"-", "_"} < {id_[0] for id_ in ids}


@pytest.mark.parametrize("text", [",", '"', "\n", "ã", "  "], ids=["comma", "quote", "line break", "accent", "spaces"])
def test_cells_hold_what_people_type(contacts, text):
    assert any(text in cell for contact in contacts for cell in contact.values())


@pytest.mark.parametrize(
    ("column", "first", "last"),
    [
        ("Queued-to-Accepted (sec)", "Queued At", "Accepted At"),
        ("Queued-to-Fulfilled (sec)", "Queued At", "Fulfilled At"),
        ("Queued-to-Ended (sec)", "Queued At", "Ended At"),
        ("Accepted-to-Fulfilled (sec)", "Accepted At", "Fulfilled At"),
        ("Fulfilled-to-Ended (sec)", "Fulfilled At", "Ended At"),
        ("SLA Target (sec)", "Queued At", "Due At"),
    ],
)
def test_a_duration_is_the_time_between_its_two_moments(contacts, column, first, last):
    """Moments are printed without the fractions that durations have."""
    for contact in contacts:
        if contact[first] and contact[last]:
            assert float(contact[column]) >= 0
            assert abs(float(contact[column]) - seconds_between(contact, first, last)) < 1
        else:
            assert contact[column] == ""


def test_parts_add_up_to_their_totals(contacts):
    for contact in contacts:
        number = {column: float(cell) for column, cell in contact.items() if cell.replace(".", "").isdigit()}
        kinds = ("Manual", "Warm Transfer", "Cold Transfer", "Conference")
        senders = ("Customer", "Agent", "Rules", "API")
        assert number["Messages Total"] == sum(number[f"Messages from {sender}"] for sender in senders)
        assert number["Times on Hold Total"] == sum(number[f"Times on Hold - {kind}"] for kind in kinds)
        if contact["Ended At"]:
            parts = number["Contact Handle Time (sec)"] + number["After Contact Time (sec)"]
            assert number["Total Contact Handle Time (sec)"] == pytest.approx(parts)
            assert number["Hold Time Total (sec)"] == pytest.approx(
                sum(number[f"Hold Time - {k} (sec)"] for k in kinds)
            )
            handled, ended = number["Contact Handle Time (sec)"], number["Queued-to-Ended (sec)"]
            assert number["Total Talk Time"] + number["Hold Time Total (sec)"] <= handled + 0.001 <= ended + 0.002
        if contact["Queued-to-Fulfilled (sec)"] and contact["SLA Target (sec)"]:
            left = number["SLA Target (sec)"] - number["Queued-to-Fulfilled (sec)"]
            assert float(contact["Seconds within (+) or over (-) SLA"]) == pytest.approx(left)
            within = number["Queued-to-Fulfilled within Business Hours (sec)"]
            assert within <= number["Queued-to-Fulfilled (sec)"]


def test_numbers_drop_their_last_zeros(contacts):
    cells = [cell for contact in contacts for column, cell in contact.items() if "(sec)" in column or "(USD)" in column]
    assert "0" in cells
    assert not [cell for cell in cells if "." in cell and (cell.endswith(("0", ".")) or len(cell.split(".")[1]) > 3)]


def test_an_open_contact_has_blanks_but_counts(contacts):
    waiting = [contact for contact in contacts if not contact["Ended At"]]
    assert len(waiting) >= 4
    for contact in waiting:
        ended = ("Status", "Inbox When Ended", "Agent When Ended", "Queued-to-Ended (sec)", "Total Talk Time")
        assert {contact[column] for column in ended} == {""}
        assert all(contact[column].isdigit() for column in contact if column.startswith(("Times", "Messages")))


def test_who_waits_when_a_day_ends_has_ended_a_day_later(read_contacts):
    before = read_contacts()
    for today in new_days(7):
        after = read_contacts(today)
        waiting = [key for key, contact in before.items() if not contact["Ended At"]]
        assert waiting
        assert all(after[key]["Ended At"] for key in waiting)
        before = after


def test_a_contact_queued_20_days_before_each_day_is_corrected_when_the_day_turns(read_contacts):
    before = read_contacts()
    for today in new_days(7):
        after = read_contacts(today)
        changed = [
            {column for column in contact if contact[column] != before[key][column]}
            for key, contact in after.items()
            if contact["Queued At"].startswith(str(today - timedelta(days=20))) and contact != before[key]
        ]
        assert changed
        assert all(columns <= CAN_BE_CORRECTED for columns in changed)
        before = after


def test_other_contacts_stay_as_they_are_and_40_come_each_day(read_contacts):
    before, after = read_contacts(), read_contacts(TODAY + timedelta(days=1))
    assert len(after.keys() - before.keys()) == 40
    unchanged = [key for key in after.keys() & before.keys() if after[key] == before[key]]
    assert 30 * 40 - 20 < len(unchanged) < 30 * 40


def test_an_email_may_be_fulfilled_by_a_call_to_the_same_customer(contacts):
    by_id = {contact["Contact ID"]: contact for contact in contacts}
    emails = [contact for contact in contacts if contact["Fulfilled by Contact ID"]]
    assert len(emails) > 31
    for email in emails:
        call = by_id[email["Fulfilled by Contact ID"]]
        assert (call["Channel"], call["Direction"]) == ("PHONE_CALL", "OUTBOUND")
        assert call["Conversation ID"] == email["Conversation ID"]
        assert call["Queued At"] == email["Fulfilled At"]


def test_a_conversation_belongs_to_one_customer_and_may_have_several_contacts(contacts):
    customers: dict[str, set[str]] = {}
    for contact in contacts:
        customers.setdefault(contact["Conversation ID"], set()).add(contact["Customer ID"])
    assert {len(ids) for ids in customers.values()} == {1}
    assert len(customers) < len(contacts)

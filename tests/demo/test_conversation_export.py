"""ConversationExportReport of the sandbox: conversations that add up to their contacts, and change weeks later."""

from collections import Counter, defaultdict
from datetime import date, datetime, timedelta
from functools import cache

import pytest

from demo.sandbox import Sandbox

HEADER = (
    "Timezone Filter,Inboxes Filter,Created At,Conversation ID,Customer ID,Conversation Link,Status,"
    "Assigned Agent ID - Current,Assigned Agent Name - Current,Inbox ID - Current,Inbox Name - Current,"
    "First Closed At,Last Closed At,Initiator Type - Created,Initiator Agent ID - Created,"
    "Initiator Agent Name - Created,Inbox ID - Created,Inbox Name - Created,Assigned Agent ID - Created,"
    "Assigned Agent Name - Created,Initiator Type - Last Closed,Initiator Agent ID - Last Closed,"
    "Initiator Agent Name - Last Closed,Initiator Rule ID - Last Closed,Inbox ID - Last Closed,"
    "Inbox Name - Last Closed,Assigned Agent ID - Last Closed,Assigned Agent Name - Last Closed,Topics,"
    "Topics with Hierarchy,First Contact ID,First Channel,Second Channel,Third Channel,Last Channel,"
    "Created-to-First Closed Time in seconds,Created-to-Last Closed Time in seconds,"
    "Conversation Handle Time in seconds,Is FCR Eligible,Is FCR Success,Merged Conversations,Count of Contacts,"
    "Count of Channels,Count of Notes,Count of Agents Assigned,Count of Inboxes Assigned,"
    "Times Agent Unassigned by Rule,Times Closed,Times Reopened,Times Topic Added,Times Topic Removed,"
    "Payment Requests - Completed,Payment Requests - Declined,Payment Amount - Completed (USD),"
    "Payment Amount - Declined (USD)"
)
TODAY = date(2026, 1, 31)
ONE_DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def desk():
    with Sandbox(today=TODAY, requests_per_minute=None) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def read_conversations(desk, ask, read_rows):
    """Conversations by id, as the sandbox shows them on a day when asked for the 31 days before it."""

    @cache
    def read(today: date = TODAY) -> dict[str, dict[str, str]]:
        desk.today = today
        days = {"first": str(today - 31 * ONE_DAY), "last": str(today - ONE_DAY)}
        rows = read_rows(ask(desk, "ConversationExportReport", **days))
        desk.today = TODAY
        assert len({row["Conversation ID"] for row in rows}) == len(rows)
        return {row["Conversation ID"]: row for row in rows}

    return read


@pytest.fixture(scope="module")
def conversations(read_conversations):
    return list(read_conversations().values())


@pytest.fixture(scope="module")
def contacts_of(desk, ask, read_rows):
    """Contacts by conversation, each list in the order in which they were queued."""
    rows = read_rows(ask(desk, first="2025-12-20", last="2026-01-31"))
    contacts = defaultdict(list)
    for row in sorted(rows, key=lambda row: row["Queued At"]):
        contacts[row["Conversation ID"]].append(row)
    return contacts


def total(contacts, column):
    return sum(float(contact[column] or 0) for contact in contacts)


def test_the_header_has_the_55_columns_in_their_order(desk, ask):
    assert ask(desk, "ConversationExportReport").content.decode().splitlines()[0] == HEADER
    assert HEADER.count(",") == 54


def test_a_conversation_is_all_contacts_of_one_customer_that_name_it(conversations, contacts_of):
    several = 0
    for conversation in conversations:
        contacts = contacts_of[conversation["Conversation ID"]]
        several += len(contacts) > 1
        assert int(conversation["Count of Contacts"]) == len(contacts)
        assert {contact["Customer ID"] for contact in contacts} == {conversation["Customer ID"]}
        assert conversation["Created At"] == contacts[0]["Queued At"]
        assert conversation["First Contact ID"] == contacts[0]["Contact ID"]
        assert conversation["Initiator Type - Created"] == contacts[0]["Contact Initiator"]
        assert conversation["Inbox Name - Created"] == contacts[0]["Inbox When Queued"]
        assert conversation["Conversation Link"] == contacts[0]["Conversation Link"]
    assert several > 100


def test_every_contact_belongs_to_a_conversation_of_the_report(read_conversations, contacts_of):
    """Those of conversations begun before the window apart."""
    contacts = [contact for contacts in contacts_of.values() for contact in contacts]
    since = [contact["Conversation ID"] for contact in contacts if contact["Queued At"] >= "2026-01-07"]
    assert set(since[: 23 * 40]) <= read_conversations().keys()


def test_channels_are_those_of_the_contacts_in_the_order_of_their_first_use(conversations, contacts_of):
    for conversation in conversations:
        used = [contact["Channel"] for contact in contacts_of[conversation["Conversation ID"]]]
        distinct = list(dict.fromkeys(used))
        named = [conversation[f"{place} Channel"] for place in ("First", "Second", "Third")]
        assert named == [*distinct, "", ""][:3]
        assert conversation["Last Channel"] == used[-1]
        assert int(conversation["Count of Channels"]) == len(distinct)


def test_handle_time_and_payments_are_the_sums_of_the_contacts(conversations, contacts_of):
    for conversation in conversations:
        contacts = contacts_of[conversation["Conversation ID"]]
        handled = float(conversation["Conversation Handle Time in seconds"])
        assert handled == pytest.approx(total(contacts, "Total Contact Handle Time (sec)"))
        for column in HEADER.split(",")[-4:]:
            assert float(conversation[column]) == pytest.approx(total(contacts, column))


def test_all_states_occur_and_agree_with_the_closings(conversations):
    assert Counter(one["Status"] for one in conversations).keys() == {"OPEN", "CLOSED", "MERGED"}
    for one in conversations:
        closed, reopened = int(one["Times Closed"]), int(one["Times Reopened"])
        if one["Status"] != "MERGED":
            assert closed - reopened == (one["Status"] == "CLOSED")
        assert bool(closed) == bool(one["First Closed At"]) == bool(one["Inbox Name - Last Closed"])
        assert (one["First Closed At"] == one["Last Closed At"]) == (closed < 2)
        assert one["Created At"] <= one["First Closed At"] <= one["Last Closed At"] or not closed


def test_a_conversation_is_closed_by_an_agent_or_a_rule(conversations):
    types = Counter(one["Initiator Type - Last Closed"] for one in conversations)
    assert types.keys() == {"", "Agent", "System"}
    for one in conversations:
        is_agent, is_rule = (one["Initiator Type - Last Closed"] == kind for kind in ("Agent", "System"))
        assert (
            bool(one["Initiator Agent ID - Last Closed"]) == bool(one["Initiator Agent Name - Last Closed"]) == is_agent
        )
        assert bool(one["Initiator Rule ID - Last Closed"]) == is_rule


def test_ages_are_the_time_between_two_moments(conversations):
    for one in conversations:
        for place in ("First", "Last"):
            closed_at, age = one[f"{place} Closed At"], one[f"Created-to-{place} Closed Time in seconds"]
            assert bool(closed_at) == bool(age)
            if closed_at:
                between = datetime.fromisoformat(closed_at) - datetime.fromisoformat(one["Created At"])
                assert abs(float(age) - between.total_seconds()) < 1


def test_a_cell_may_hold_several_topics_and_topics_may_hold_commas(conversations):
    cells = {one["Topics"] for one in conversations}
    assert "" in cells
    assert "Cancellation, refund" in cells
    assert any("Cancellation, refund," in cell for cell in cells)
    assert any("Stay > Room > Noise, at night" in one["Topics with Hierarchy"] for one in conversations)
    for one in conversations:
        left = int(one["Times Topic Added"]) - int(one["Times Topic Removed"])
        assert bool(left) == bool(one["Topics"])
        assert one["Topics with Hierarchy"].count(",") == one["Topics"].count(",") >= left - 1


def test_one_contact_that_was_enough_is_a_first_contact_resolution(conversations):
    kinds = Counter((one["Is FCR Eligible"], one["Is FCR Success"]) for one in conversations)
    assert kinds.keys() == {("Yes", "Yes"), ("Yes", "No"), ("No", "No")}
    for one in conversations:
        if one["Is FCR Success"] == "Yes":
            assert (one["Count of Contacts"], one["Times Reopened"], one["Status"]) == ("1", "0", "CLOSED")
        if one["Is FCR Eligible"] == "Yes":
            assert one["Initiator Type - Created"] == "Customer"


def test_counts_of_notes_agents_and_rules_vary(conversations):
    for column in ("Count of Notes", "Count of Agents Assigned", "Times Agent Unassigned by Rule"):
        assert {"0", "1", "2"} <= {one[column] for one in conversations}
    assert {"1", "2", "3"} <= {one["Count of Inboxes Assigned"] for one in conversations}


def test_a_merged_conversation_is_named_by_the_one_it_became_part_of(read_conversations):
    conversations = read_conversations()
    merged = {key for key, one in conversations.items() if one["Status"] == "MERGED"}
    named = [one["Merged Conversations"] for one in conversations.values() if one["Merged Conversations"]]
    assert len(merged) > 3
    # The one that names it may have begun before the window.
    assert len(merged - set(",".join(named).split(","))) <= 1


@pytest.mark.parametrize("zone", ["America/Denver", "UTC", "Asia/Tokyo", "Pacific/Honolulu"])
def test_each_new_day_a_conversation_created_15_days_before_it_is_reopened_and_on_that_day_closed_again(
    ask, read_rows, zone
):
    """The day's first report shows it reopened, the next day's shows that it was closed on the day."""
    with Sandbox(today=TODAY, organization_timezone=zone, contacts_per_day=3, requests_per_minute=None) as sandbox:

        def read(today, created):
            sandbox.today = today
            rows = read_rows(ask(sandbox, "ConversationExportReport", first=str(created), last=str(created)))
            return {row["Conversation ID"]: row for row in rows}

        for day in (TODAY + number * ONE_DAY for number in range(7)):
            created = day - 15 * ONE_DAY
            before, morning, after = (read(day + number * ONE_DAY, created) for number in (-1, 0, 1))
            reopened = [key for key in before if before[key]["Times Reopened"] < morning[key]["Times Reopened"]]
            assert reopened
            assert {morning[key]["Status"] for key in reopened} == {"OPEN"}
            assert any(after[key]["Last Closed At"].startswith(str(day)) for key in reopened)


def test_rows_change_weeks_back_while_most_stay_as_they_are(read_conversations):
    before, after = read_conversations(), read_conversations(TODAY + ONE_DAY)
    changed = {key for key in before.keys() & after.keys() if before[key] != after[key]}
    ages = {(TODAY - date.fromisoformat(after[key]["Created At"][:10])).days for key in changed}
    assert max(ages) >= 14
    assert len(changed) < len(before) / 5
    assert len(after.keys() - before.keys()) > 10


def test_windows_of_single_days_give_the_same_rows_as_one_of_them_all(desk, ask, read_rows):
    days = [f"2026-01-{day:02}" for day in range(5, 13)]
    parts = [row for day in days for row in read_rows(ask(desk, "ConversationExportReport", first=day, last=day))]
    whole = read_rows(ask(desk, "ConversationExportReport", first=days[0], last=days[-1]))
    key = lambda row: row["Conversation ID"]  # noqa: E731
    assert sorted(parts, key=key) == sorted(whole, key=key)

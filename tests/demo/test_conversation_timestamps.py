"""ConversationTimestampsReport of the sandbox: the events behind the conversations of the export."""

from collections import defaultdict
from datetime import date

import pytest

from demo.conversation_stories import LONGEST_LIFE, tell_block
from demo.sandbox import Sandbox

HEADER = (
    "Timezone Filter,Timestamp,Event Type,Conversation ID,Customer ID,Initiator Type,Initiator ID,"
    "Initiator Agent Name,Assigned Inbox ID,Assigned Inbox Name,Assigned Agent ID,Assigned Agent Name,Topic ID,"
    "Topic Name,Newly Assigned Inbox ID,Newly Assigned Inbox Name,Newly Assigned Agent ID,Newly Assigned Agent Name,"
    "Assignment Update Reason,Merged Customer ID,Merged Conversation ID"
)
REPORT = "ConversationTimestampsReport"
# Whatever happened to a conversation created in January has been told by then.
JANUARY = {"first": "2026-01-01", "last": "2026-01-31"}


@pytest.fixture(scope="module")
def desk():
    with Sandbox(today=date(2026, 2, 10), requests_per_minute=None) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def conversations(desk, ask, read_rows):
    rows = read_rows(ask(desk, "ConversationExportReport", **JANUARY))
    return {row["Conversation ID"]: row for row in rows}


@pytest.fixture(scope="module")
def events(desk, ask, read_rows):
    return read_rows(ask(desk, REPORT, first="2026-01-01", last="2026-02-10"))


@pytest.fixture(scope="module")
def events_of(events, conversations):
    """The events of January's conversations, each list in the order of time."""
    grouped = defaultdict(list)
    for event in sorted(events, key=lambda event: event["Timestamp"]):
        if event["Conversation ID"] in conversations:
            grouped[event["Conversation ID"]].append(event)
    return grouped


def test_the_header_has_the_21_columns_in_their_order(desk, ask):
    assert ask(desk, REPORT).content.decode().splitlines()[0] == HEADER
    assert HEADER.count(",") == 20


def test_every_type_of_event_occurs(events):
    assert {event["Event Type"] for event in events} == {
        *(f"CONVERSATION/{kind}" for kind in ("CREATED", "CLOSED", "REOPENED", "TOPIC_ADDED", "TOPIC_REMOVED")),
        *("CONVERSATION_ASSIGNEE/UPDATED", "NOTE/CREATED", "CUSTOMER/MERGED"),
    }
    assert {event["Assignment Update Reason"] for event in events} == {
        *("", "CONTACT_OFFERED", "MANUAL", "MESSAGE_OUTBOUND", "REROUTED_UNASSIGN", "PHONE_CALL_TRANSFER")
    }
    assert {event["Initiator Type"] for event in events} == {"Agent", "Customer", "System"}


@pytest.mark.parametrize(
    ("event_type", "column"),
    [
        ("CONVERSATION/CLOSED", "Times Closed"),
        ("CONVERSATION/REOPENED", "Times Reopened"),
        ("CONVERSATION/TOPIC_ADDED", "Times Topic Added"),
        ("CONVERSATION/TOPIC_REMOVED", "Times Topic Removed"),
        ("NOTE/CREATED", "Count of Notes"),
    ],
)
def test_the_export_counts_these_events(events_of, conversations, event_type, column):
    for key, conversation in conversations.items():
        assert sum(event["Event Type"] == event_type for event in events_of[key]) == int(conversation[column])


def test_the_export_has_the_moments_of_these_events(events_of, conversations):
    for key, conversation in conversations.items():
        created, *others = events_of[key]
        assert created["Event Type"] == "CONVERSATION/CREATED"
        assert created["Timestamp"] == conversation["Created At"]
        closed = [event["Timestamp"] for event in others if event["Event Type"] == "CONVERSATION/CLOSED"]
        assert [*closed, ""][0] == conversation["First Closed At"]
        assert ["", *closed][-1] == conversation["Last Closed At"]


def test_who_is_in_charge_follows_from_event_to_event_up_to_the_export(desk, ask, read_rows, conversations):
    """Events of one second keep the order of the report."""
    assigned = ("Inbox ID", "Inbox Name", "Agent ID", "Agent Name")
    state = {}
    for event in read_rows(ask(desk, REPORT, first="2026-01-01", last="2026-02-10")):
        key = event["Conversation ID"]
        assert [event[f"Assigned {name}"] for name in assigned] == state.get(
            key, [event[f"Assigned {n}"] for n in assigned]
        )
        is_update = event["Event Type"] == "CONVERSATION_ASSIGNEE/UPDATED"
        state[key] = [event[f"Newly Assigned {name}" if is_update else f"Assigned {name}"] for name in assigned]
        assert bool(event["Assignment Update Reason"]) == is_update == bool(event["Newly Assigned Inbox ID"])
    columns = (
        "Inbox ID - Current",
        "Inbox Name - Current",
        "Assigned Agent ID - Current",
        "Assigned Agent Name - Current",
    )
    assert {key: state[key] for key in conversations} == {
        key: [conversation[column] for column in columns] for key, conversation in conversations.items()
    }


def test_topics_added_and_not_removed_are_those_of_the_export(events_of, conversations):
    for key, conversation in conversations.items():
        topics = []
        for event in events_of[key]:
            topic = (event["Topic ID"], event["Topic Name"])
            assert bool(topic[0]) == event["Event Type"].startswith("CONVERSATION/TOPIC")
            if event["Event Type"] == "CONVERSATION/TOPIC_ADDED":
                topics.append(topic)
            elif event["Event Type"] == "CONVERSATION/TOPIC_REMOVED":
                topics.remove(topic)
        assert ",".join(name for _, name in topics) == conversation["Topics"]


def test_a_merge_names_the_conversation_that_is_no_more_and_nothing_happens_to_it_later(events, conversations):
    merges = [event for event in events if event["Event Type"] == "CUSTOMER/MERGED"]
    assert len(merges) >= 10
    for merge in merges:
        gone = merge["Merged Conversation ID"]
        assert gone != merge["Conversation ID"]
        assert merge["Merged Customer ID"] != merge["Customer ID"]
        assert all(event["Timestamp"] <= merge["Timestamp"] for event in events if event["Conversation ID"] == gone)
        if gone in conversations:
            assert conversations[gone]["Status"] == "MERGED"
        if merge["Conversation ID"] in conversations:
            assert gone in conversations[merge["Conversation ID"]]["Merged Conversations"]


def test_windows_of_single_days_give_the_same_events_as_one_of_them_all(desk, ask, read_rows):
    days = [f"2026-01-0{day}" for day in range(1, 8)]
    parts = [event for day in days for event in read_rows(ask(desk, REPORT, first=day, last=day))]
    whole = read_rows(ask(desk, REPORT, first=days[0], last=days[-1]))
    key = lambda event: tuple(event.values())  # noqa: E731
    assert sorted(parts, key=key) == sorted(whole, key=key)


def test_a_past_day_stays_as_it_is_when_days_go_by(desk, ask):
    day = {"first": "2026-01-20", "last": "2026-01-20"}
    before = ask(desk, REPORT, **day).content
    desk.today = date(2026, 3, 1)
    after = ask(desk, REPORT, **day).content
    desk.today = date(2026, 2, 10)
    assert after == before


WEEK = date(2026, 1, 25).toordinal() // 7


def test_nothing_happens_to_a_conversation_after_its_longest_life():
    weeks = range(WEEK, WEEK + 10)
    lives = [one.settled_at - one.created_at for week in weeks for one in tell_block(7, week, range(40))]
    assert LONGEST_LIFE / 2 < max(lives) < LONGEST_LIFE


def test_events_of_a_conversation_follow_each_other():
    for one in tell_block(7, WEEK, range(40)):
        moments = [event.at for event in one.events]
        assert moments == sorted(moments)

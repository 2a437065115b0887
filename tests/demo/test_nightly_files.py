"""The files of the sandbox's nightly exports: what each night tells, and what a later night tells again."""

import json
import re
import time
from collections import defaultdict
from datetime import date, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from demo.desk import Desk
from demo.hotel_books import HotelBooks
from demo.nightly_files import file_pieces
from demo.sandbox import Sandbox

TODAY = date(2026, 1, 31)
ITEMS, CUSTOMERS = "conversation_items.jsonl", "customers.jsonl"
CONTENT_TYPES = {
    *("CHAT_MESSAGE", "EMAIL", "SMS", "PHONE_CALL", "VOICEMAIL", "CONVERSATION_NOTE", "CONVERSATION_STATUS_CHANGE"),
    *("TOPIC_CHANGE", "CUSTOMER_ACTIVITY", "FACEBOOK_MESSAGE", "WHATSAPP", "INSTAGRAM_DIRECT", "TWITTER"),
    *("TEXT", "FILES", "TASK"),
}


@pytest.fixture(scope="module")
def desk():
    with Sandbox(today=TODAY, requests_per_minute=None) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def nights(desk, get):
    """The lines of every file of the last 14 days, as {file: {day: [objects]}}."""
    lines = defaultdict(dict)
    for job in sorted(get(desk, "export/jobs").json(), key=lambda job: job["updatedAt"]):
        for name in job["files"]:
            response = get(desk, f"export/jobs/{job['id']}/files/{name}")
            assert response.headers["Content-Type"] == "application/x-ndjson"
            assert response.headers["Transfer-Encoding"] == "chunked"
            day = date.fromisoformat(job["parameters"]["startAt"][:10])
            lines[name][day] = [json.loads(line) for line in response.content.splitlines()]
    return lines


@pytest.fixture(scope="module")
def items(nights):
    return [item for items in nights[ITEMS].values() for item in items]


@pytest.fixture(scope="module")
def versions(nights):
    """The versions of each record of a file, oldest first, as {id: {day: record}}."""

    def read(name):
        records = defaultdict(dict)
        for day, lines in nights[name].items():
            for line in lines:
                records[line["id"]][day] = line
        return records

    return read


def contents(items, kind):
    return [item["content"] for item in items if item["content"]["type"] == kind]


def shapes(value):
    return type(value).__name__


def test_every_content_type_occurs_and_has_what_it_must_have(items):
    assert {item["content"]["type"] for item in items} == CONTENT_TYPES
    required = {
        "CHAT_MESSAGE": {"sessionId", "content"},
        "EMAIL": {"from", "to", "content"},
        "SMS": {"from", "to", "content"},
        "PHONE_CALL": {"from", "to", "startedAt"},
        "CUSTOMER_ACTIVITY": {"activityType"},
        "FACEBOOK_MESSAGE": {"pageId", "userId", "content"},
        "TEXT": {"customChannelId", "companyAddress", "customerAddress", "sessionId", "content", "status"},
        "FILES": {"customChannelId", "companyAddress", "customerAddress", "sessionId", "content", "status"},
    }
    for kind, fields in required.items():
        assert all(fields <= content.keys() for content in contents(items, kind))
    assert {one["activityType"] for one in contents(items, "CUSTOMER_ACTIVITY")} == {"EMAIL", "ISSUE", "SMS", "SURVEY"}


def test_one_path_has_several_shapes(items):
    assert {shapes(item["content"]["content"]) for item in items if "content" in item["content"]} == {"str", "dict"}
    assert {shapes(item["content"]["to"]) for item in items if "to" in item["content"]} == {"str", "list"}
    durations = [item["content"]["recordingDuration"] for item in items if "recordingDuration" in item["content"]]
    assert {shapes(duration) for duration in durations} == {"str", "int"}


def test_items_have_their_required_fields_and_optional_ones_are_absent_at_times(items):
    for item in items:
        assert {"id", "customerId", "timestamp", "content"} <= item.keys()
    for field in ("conversationId", "initiator", "responder"):
        assert 0 < sum(field in item for item in items) < len(items)
    for kind, field in (
        *(("EMAIL", "subject"), ("EMAIL", "cc"), ("CHAT_MESSAGE", "messageType"), ("CUSTOMER_ACTIVITY", "link")),
        *(("PHONE_CALL", "answeredAt"), ("PHONE_CALL", "recordingSummary"), ("TOPIC_CHANGE", "addedTopicIds")),
        *(("TOPIC_CHANGE", "removedTopicIds"), ("FILES", "groupId"), ("TEXT", "groupId")),
    ):
        present = {field in content for content in contents(items, kind)}
        assert present == ({kind == "FILES"} if field == "groupId" else {True, False})


def test_quick_replies_have_long_paths(items):
    chats = contents(items, "CHAT_MESSAGE")
    by_kind = defaultdict(list)
    for chat in chats:
        by_kind[chat.get("messageType")].append(chat)
    assert by_kind.keys() == {None, "TEXT", "QUICK_REPLY_REQUEST", "QUICK_REPLY_RESPONSE"}
    assert all(chat["messageData"]["options"] for chat in by_kind["QUICK_REPLY_REQUEST"])
    for chat in by_kind["QUICK_REPLY_RESPONSE"]:
        data = chat["messageData"]
        labels = {option["id"]: option["label"] for option in data["quickReplyRequest"]["options"]}
        assert labels[data["selectedOptionId"]] == chat["content"]


def test_moments_have_none_to_three_or_nine_digits(items):
    text = json.dumps(items)
    digits = {len(fraction or "") for fraction in re.findall(r"T\d\d:\d\d:\d\d(?:\.(\d+))?Z", text)}
    assert digits == {0, 1, 2, 3, 9}
    assert {"0", "7"} <= {item["timestamp"][-2] for item in items}


def test_a_night_has_the_items_of_its_day_and_what_was_changed_on_it(nights):
    for day, items in nights[ITEMS].items():
        days = [date.fromisoformat(item["timestamp"][:10]) for item in items]
        assert set(days) <= {day, day - timedelta(days=1)}
        assert days.count(day) > 150
        assert len({item["id"] for item in items}) == len(items)


def test_messages_are_those_of_the_contacts(desk, ask, read_rows, nights):
    """But for what rules answer by e-mail or SMS, which is not exported."""
    day = TODAY - timedelta(days=1)
    events = read_rows(ask(desk, "ContactTimestampsReport", first=str(day), last=str(day)))
    kinds = {"CHAT": "CHAT_MESSAGE", "SMS": "SMS", "EMAIL": "EMAIL", "WHATSAPP": "WHATSAPP"}
    told = {
        (event["Conversation ID"], event["Timestamp"].replace(" ", "T"), kinds[event["Channel"]])
        for event in events
        if event["Event Type"].startswith("CONTACT/MESSAGE_")
        and event["Channel"] in kinds
        and not (event["Initiator Type"] == "Automation" and event["Channel"] in ("EMAIL", "SMS"))
    }
    exported = {
        (item.get("conversationId"), item["timestamp"][:19], item["content"]["type"]) for item in nights[ITEMS][day]
    }
    assert len(told) > 50
    assert told <= exported


def test_notes_topics_and_closings_are_those_of_the_conversations(desk, ask, read_rows, nights):
    day = TODAY - timedelta(days=1)
    kinds = {
        "NOTE/CREATED": "CONVERSATION_NOTE",
        "CONVERSATION/CLOSED": "CONVERSATION_STATUS_CHANGE",
        "CONVERSATION/REOPENED": "CONVERSATION_STATUS_CHANGE",
        "CONVERSATION/TOPIC_ADDED": "TOPIC_CHANGE",
    }
    events = read_rows(ask(desk, "ConversationTimestampsReport", first=str(day), last=str(day)))
    told = {
        (event["Conversation ID"], event["Timestamp"].replace(" ", "T"), kinds[event["Event Type"]])
        for event in events
        if event["Event Type"] in kinds
    }
    exported = {
        (item.get("conversationId"), item["timestamp"][:19], item["content"]["type"]) for item in nights[ITEMS][day]
    }
    assert told <= exported


def test_an_item_of_topics_is_told_again_with_a_shorter_list_in_most_nights(versions):
    shrunk = []
    for nights in versions(ITEMS).values():
        first, *later = nights.values()
        for last in later:
            if first["content"]["type"] == "TOPIC_CHANGE":
                assert {**first, "content": None} == {**last, "content": None}
                before, after = first["content"]["addedTopicIds"], last["content"]["addedTopicIds"]
                assert before[: len(after)] == after
                assert 0 < len(after) < len(before)
                shrunk.append(max(nights))
    assert len(set(shrunk)) >= 10


def test_a_call_over_midnight_is_told_again_with_more_fields():
    """In some night of two months."""
    desk = Desk(7, 40, date(2026, 3, 1), ZoneInfo("UTC"))
    calls = defaultdict(list)
    for day in (date(2026, 1, 1) + timedelta(days=number) for number in range(59)):
        for line in b"".join(file_pieces(desk, day, ITEMS)).splitlines():
            item = json.loads(line)
            if item["content"]["type"] == "PHONE_CALL":
                calls[item["id"]].append(item["content"])
    again = [contents for contents in calls.values() if len(contents) > 1]
    assert again
    for first, last in again:
        assert "completedAt" not in first
        assert first.items() <= last.items()


def test_each_night_a_customer_told_of_two_nights_before_has_lost_an_address(nights):
    days = sorted(nights[CUSTOMERS])
    for day in days[2:]:
        before = {customer["id"]: customer for customer in nights[CUSTOMERS][day - timedelta(days=2)]}
        lost = [
            customer
            for customer in nights[CUSTOMERS][day]
            if customer["id"] in before
            and len(customer.get("emailAddresses", ())) < len(before[customer["id"]].get("emailAddresses", ()))
        ]
        assert lost
        assert {**lost[0], "emailAddresses": None} == {**before[lost[0]["id"]], "emailAddresses": None}


def test_fields_of_customers_are_absent_empty_or_full(nights):
    customers = [customer for lines in nights[CUSTOMERS].values() for customer in lines]
    for field in ("emailAddresses", "phoneNumbers", "externalCustomerIds"):
        sizes = {len(customer[field]) if field in customer else None for customer in customers}
        assert {None, 0, 1, 2} <= sizes
    for customer in customers:
        assert customer.keys() >= {"id", "name"}
        assert not {"externalCustomerId", "externalCustomerIds"} <= customer.keys()
    assert any("externalCustomerId" in customer for customer in customers)
    assert {frozenset((customer.get("externalCustomerIds") or {}).keys()) for customer in customers} > {frozenset()}


def test_every_customer_of_a_nights_items_is_in_its_file_of_customers_once(nights):
    for day, items in nights[ITEMS].items():
        ids = [customer["id"] for customer in nights[CUSTOMERS][day]]
        assert len(set(ids)) == len(ids)
        assert {item["customerId"] for item in items} <= set(ids)


def test_some_customers_are_guests_of_the_hotels(nights):
    """They share the e-mail address and the name."""
    guests = HotelBooks(TODAY, seed=7).tables["guests"].values()
    names = {guest["email"]: guest["full_name"] for guest in guests if guest["email"]}
    for lines in nights[CUSTOMERS].values():
        found = [
            customer
            for customer in lines
            for address in customer.get("emailAddresses", ())
            if names.get(address) == customer["name"]
        ]
        assert 10 < len(found) < len(lines)
    addresses = {a for lines in nights[CUSTOMERS].values() for one in lines for a in one.get("emailAddresses", ())}
    assert addresses - names.keys()


def test_agents_and_topics_are_the_lists_of_the_day(desk, get, nights):
    for name in ("agents", "topics"):
        for age in (1, 14):
            day = TODAY - timedelta(days=age)
            desk.today = day
            assert nights[f"{name}.jsonl"][day] == get(desk, name).json()
    desk.today = TODAY


def test_the_same_seed_and_day_give_the_same_bytes_on_whichever_day_they_are_fetched(get):
    bodies = []
    for today, seed in ((TODAY, 7), (TODAY + timedelta(days=10), 7), (TODAY, 8)):
        with Sandbox(today=today, seed=seed, organization_timezone="UTC") as sandbox:
            jobs = get(sandbox, "export/jobs").json()
            (job,) = (job for job in jobs if job["parameters"]["startAt"].startswith("2026-01-29"))
            bodies.append([get(sandbox, f"export/jobs/{job['id']}/files/{name}").content for name in job["files"]])
    assert bodies[0] == bodies[1]
    assert bodies[0][1] != bodies[2][1]


def test_a_small_desk_has_nights_too():
    desk = Desk(7, 1, TODAY, ZoneInfo("UTC"))
    lines = b"".join(file_pieces(desk, TODAY - timedelta(days=1), ITEMS)).splitlines()
    assert len(lines) > 15


def test_a_large_file_begins_long_before_it_is_whole():
    desk = Desk(7, 10_000, TODAY, ZoneInfo("UTC"))
    started = time.process_time()
    pieces = list(islice(file_pieces(desk, TODAY - timedelta(days=1), ITEMS), 2))
    # The whole takes a minute.
    assert time.process_time() - started < 5
    assert all(len(piece) < 200_000 for piece in pieces)

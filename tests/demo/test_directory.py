"""The sandbox's whole lists: agents, topics, inboxes and teams, as they are on a day."""

from datetime import date, timedelta

import pytest
import requests

from demo.conversation_acts import SILENCE_RULE
from demo.faults import HTML, CutBody, Slow, Status
from demo.json_faults import CutList

TODAY = date(2026, 1, 31)
LISTS = ("agents", "topics", "inboxes", "teams")
FIELDS = {
    "agents": {"id": str, "name": str, "emailAddress": str},
    "topics": {"id": str, "name": str, "disabled": bool, "parentId": str},
    "inboxes": {"id": str, "name": str, "disabled": bool},
    "teams": {"id": str, "name": str, "description": str, "agentIds": list},
}
OPTIONAL = {"parentId", "description"}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_json_with_the_documented_fields_and_ids_of_its_own(sandbox, get, name):
    response = get(sandbox, name)
    assert response.headers["Content-Type"] == "application/json"
    entries = response.json()
    assert len({entry["id"] for entry in entries}) == len(entries) > 3
    for entry in entries:
        assert FIELDS[name].keys() - OPTIONAL <= entry.keys() <= FIELDS[name].keys()
        assert all(isinstance(value, FIELDS[name][field]) for field, value in entry.items())


@pytest.mark.parametrize("name", LISTS)
def test_a_list_changes_a_little_over_a_week_and_stays_the_same_on_a_day(sandbox, get, name):
    days = []
    for number in range(8):
        sandbox.today = TODAY + timedelta(days=number)
        days.append(get(sandbox, name).content)
        assert get(sandbox, name).content == days[-1]
    assert 2 <= len(set(days)) <= 5
    # What `python -m demo` shows: the first two days differ.
    assert days[0] != days[1]


def test_agents_join_and_leave(sandbox, get):
    before = {agent["id"] for agent in get(sandbox, "agents").json()}
    sandbox.today += timedelta(days=9)
    after = {agent["id"] for agent in get(sandbox, "agents").json()}
    assert (len(after - before), len(before - after)) == (3, 3)


def test_a_nested_topic_names_a_parent_of_the_list_and_a_root_names_none(sandbox, get):
    topics = {topic["id"]: topic for topic in get(sandbox, "topics").json()}
    nested = [topic for topic in topics.values() if "parentId" in topic]
    assert all(topic["parentId"] in topics for topic in nested)
    assert any("parentId" in topics[topic["parentId"]] for topic in nested)
    assert 4 < len(nested) < len(topics)


def test_topic_names_hold_commas_and_are_not_unique(sandbox, get):
    names = [topic["name"] for topic in get(sandbox, "topics").json()]
    assert any("," in name for name in names)
    assert len(set(names)) < len(names)


def test_a_topic_that_is_disabled_stays_in_the_list(sandbox, get):
    disabled = []
    for _ in range(2):
        disabled.append({topic["id"] for topic in get(sandbox, "topics").json() if topic["disabled"]})
        sandbox.today += timedelta(days=1)
    ids = {topic["id"] for topic in get(sandbox, "topics").json()}
    assert disabled[0] != disabled[1]
    assert disabled[0] | disabled[1] <= ids


def test_teams_have_agents_of_the_list_or_none_yet(sandbox, get):
    agents = {agent["id"] for agent in get(sandbox, "agents").json()}
    teams = get(sandbox, "teams").json()
    assert set().union(*(team["agentIds"] for team in teams)) == agents
    assert [team for team in teams if not team["agentIds"]] == [teams[-1]]
    assert "description" not in teams[-1]


def test_reports_name_agents_topics_and_inboxes_of_the_lists(sandbox, ask, get, read_rows):
    ids = {name: {entry["id"]: entry["name"] for entry in get(sandbox, name).json()} for name in LISTS}
    for event in read_rows(ask(sandbox, "ConversationTimestampsReport", first="2026-01-25")):
        for name, key, text in (
            ("topics", event["Topic ID"], event["Topic Name"]),
            ("inboxes", event["Assigned Inbox ID"], event["Assigned Inbox Name"]),
            ("agents", event["Assigned Agent ID"], event["Assigned Agent Name"]),
        ):
            assert not key or ids[name][key] == text
        if event["Initiator Type"] == "Agent":
            assert ids["agents"][event["Initiator ID"]] == event["Initiator Agent Name"]
        if event["Initiator Type"] == "System":
            assert event["Initiator ID"] in ("", SILENCE_RULE)


def test_a_list_gets_the_faults_of_its_name_and_no_others(sandbox, get):
    sandbox.faults.append(Status(500))
    sandbox.faults_of["topics"].extend([Status(503), None])
    asked = ("agents", "topics", "topics", "topics")
    assert [get(sandbox, name).status_code for name in asked] == [200, 503, 200, 200]
    assert len(sandbox.faults) == 1


def test_a_list_can_be_cut_by_gladly_which_says_so_in_a_header(sandbox, get):
    whole = get(sandbox, "agents")
    sandbox.faults_of["agents"].append(CutList(keep=3))
    cut = get(sandbox, "agents")
    assert cut.json() == whole.json()[:3]
    assert cut.headers["Gladly-Limited-Data"]
    assert "Gladly-Limited-Data" not in whole.headers


def test_a_list_can_break_off_be_a_web_page_or_take_its_time(sandbox, get):
    sandbox.faults_of["teams"].extend([CutBody(after=10), HTML, Slow(0.2)])
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        get(sandbox, "teams")
    page, late = get(sandbox, "teams"), get(sandbox, "teams")
    assert (page.status_code, page.headers["Content-Type"], page.content) == (200, "text/html", HTML.body)
    assert late.elapsed.total_seconds() >= 0.2


def test_every_get_is_remembered_with_its_target_and_status(sandbox, get):
    sandbox.faults_of["agents"].append(Status(429))
    get(sandbox, "agents")
    get(sandbox, "export/jobs", status="COMPLETED")
    assert [(read.target, read.status) for read in sandbox.reads] == [
        ("/api/v1/agents", 429),
        ("/api/v1/export/jobs?status=COMPLETED", 200),
    ]
    assert sandbox.requests == []

"""The sandbox's nightly export jobs: which there are, how they are asked for, and how they can go wrong."""

import re
from datetime import date, datetime, timedelta

import pytest

from demo.export_jobs import FAILED, IN_PROGRESS, NO_FILES, PENDING, Night
from demo.faults import HTML, Status
from demo.json_faults import MISSING
from demo.sandbox import Sandbox

YESTERDAY = date(2026, 1, 30)
FILES = ["agents.jsonl", "conversation_items.jsonl", "customers.jsonl", "topics.jsonl"]


@pytest.fixture
def jobs(sandbox, get):
    """Asks for the jobs; returns them by the day that they export."""

    def ask_for(**query):
        response = get(sandbox, "export/jobs", **query)
        response.raise_for_status()
        return {date.fromisoformat(job["parameters"]["startAt"][:10]): job for job in response.json()}

    return ask_for


def test_there_is_a_job_for_each_of_the_last_14_days(jobs):
    days = jobs()
    assert days.keys() == {YESTERDAY - timedelta(days=age) for age in range(14)}
    for day, job in days.items():
        assert job["status"] == "COMPLETED"
        assert job["files"] == FILES
        assert job["parameters"] == {
            "type": "CONVERSATIONS",
            "startAt": f"{day}T00:00:00Z",
            "endAt": f"{day + timedelta(days=1)}T00:00:00Z",
        }
        assert job["updatedAt"].startswith(f"{day + timedelta(days=1)}T03:")
    assert len({job["id"] for job in days.values()}) == 14


def test_moments_of_jobs_have_eight_or_nine_digits(sandbox, jobs):
    moments = set()
    for _ in range(3):
        moments |= {job["updatedAt"] for job in jobs().values()}
        sandbox.today += timedelta(days=14)
    assert {len(re.search(r"\.(\d+)Z$", moment)[1]) for moment in moments} == {8, 9}


def test_the_list_has_no_order_and_another_one_each_day(sandbox, get):
    orders = []
    for _ in range(2):
        moments = [job["updatedAt"] for job in get(sandbox, "export/jobs").json()]
        assert [job["updatedAt"] for job in get(sandbox, "export/jobs").json()] == moments
        assert moments not in (sorted(moments), sorted(moments, reverse=True))
        orders.append([sorted(moments).index(moment) for moment in moments])
        sandbox.today += timedelta(days=1)
    assert orders[0] != orders[1]


def test_a_job_is_the_same_on_every_day_until_it_is_gone(sandbox, get, jobs):
    job = jobs()[YESTERDAY]
    sandbox.today += timedelta(days=13)
    assert get(sandbox, f"export/jobs/{job['id']}").json() == jobs()[YESTERDAY] == job
    sandbox.today += timedelta(days=1)
    assert YESTERDAY not in jobs()
    assert get(sandbox, f"export/jobs/{job['id']}").status_code == 404
    assert get(sandbox, f"export/jobs/{job['id']}/files/agents.jsonl").status_code == 404


def test_a_day_has_no_job_before_it_is_over_in_utc(get):
    with Sandbox(today=date(2026, 1, 31), organization_timezone="Asia/Tokyo", requests_per_minute=None) as sandbox:
        days = {job["parameters"]["startAt"][:10] for job in get(sandbox, "export/jobs").json()}
    assert max(days) == "2026-01-29"


def test_jobs_can_be_filtered_by_status_and_by_the_moment_of_their_last_change(sandbox, jobs):
    sandbox.nights[YESTERDAY] = FAILED
    assert jobs(status="FAILED").keys() == {YESTERDAY}
    assert len(jobs(status="COMPLETED")) == 13
    assert jobs(status="PENDING") == {}
    days = jobs(startAt="2026-01-28T00:00:00Z", endAt="2026-01-30T00:00:00+00:00")
    assert days.keys() == {date(2026, 1, 27), date(2026, 1, 28)}
    moment = jobs()[YESTERDAY]["updatedAt"]
    later = datetime.fromisoformat(moment) + timedelta(seconds=1)
    assert jobs(startAt=moment).keys() == {YESTERDAY}
    assert jobs(startAt=later.isoformat()) == {}


@pytest.mark.parametrize(
    ("query", "attr"),
    [
        pytest.param({"status": "DONE"}, "status", id="unknown status"),
        pytest.param({"startAt": "2026-01-16T00:00:00Z"}, "startAt", id="start more than 14 days ago"),
        pytest.param({"startAt": "2026-01-20"}, "startAt", id="a day is no moment"),
        pytest.param({"endAt": "2026-02-30T00:00:00Z"}, "endAt", id="no such day"),
        pytest.param({"endAt": "2026-02-02T00:00:00Z"}, "endAt", id="end in the future"),
        pytest.param(
            {"startAt": "2026-01-20T00:00:00Z", "endAt": "2026-01-19T00:00:00Z"}, "endAt", id="end before start"
        ),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(sandbox, get, query, attr):
    response = get(sandbox, "export/jobs", **query)
    (error,) = response.json()["errors"]
    assert (response.status_code, error["attr"], error["code"]) == (400, attr, "invalid")


@pytest.mark.parametrize("night", [PENDING, IN_PROGRESS, FAILED, NO_FILES], ids=lambda night: night.status)
def test_a_night_that_did_not_go_well_has_no_files(sandbox, get, jobs, night):
    sandbox.nights[YESTERDAY] = night
    job = jobs()[YESTERDAY]
    assert (job["status"], job["files"]) == (night.status, [])
    assert get(sandbox, f"export/jobs/{job['id']}").json() == job
    assert get(sandbox, f"export/jobs/{job['id']}/files/agents.jsonl").status_code == 404


def test_a_night_can_come_right_later(sandbox, jobs):
    sandbox.nights[YESTERDAY] = IN_PROGRESS
    before = jobs()[YESTERDAY]
    del sandbox.nights[YESTERDAY]
    assert (before["status"], jobs()[YESTERDAY]["status"]) == ("IN_PROGRESS", "COMPLETED")


def test_a_job_may_lack_a_file(sandbox, get, jobs):
    sandbox.nights[YESTERDAY] = Night(files=("customers.jsonl",))
    job = jobs()[YESTERDAY]
    assert job["files"] == ["customers.jsonl"]
    codes = [get(sandbox, f"export/jobs/{job['id']}/files/{name}").status_code for name in FILES]
    assert codes == [404, 404, 200, 404]


def test_a_job_may_list_a_file_that_is_missing(sandbox, get, jobs):
    sandbox.nights[YESTERDAY] = Night(faults={"customers.jsonl": MISSING})
    job = jobs()[YESTERDAY]
    assert job["files"] == FILES
    for _ in range(2):
        assert get(sandbox, f"export/jobs/{job['id']}/files/customers.jsonl").status_code == 404


@pytest.mark.parametrize(
    "path", ["export/jobs/nobody", "export/jobs/{id}/files/contacts.jsonl", "export/files", "export"]
)
def test_what_the_export_does_not_have_is_404(sandbox, get, jobs, path):
    assert get(sandbox, path.format(id=jobs()[YESTERDAY]["id"])).status_code == 404


def test_there_is_one_schedule_and_all_jobs_name_it(sandbox, get, jobs):
    (schedule,) = get(sandbox, "export/schedules").json()
    assert schedule["frequency"] == "DAILY"
    assert schedule["nextStartAt"] == "2026-02-01T00:00:00Z"
    assert {job["scheduleId"] for job in jobs().values()} == {schedule["id"]}


def test_lists_of_jobs_and_single_jobs_get_the_faults_of_their_path(sandbox, get, jobs):
    path = f"export/jobs/{jobs()[YESTERDAY]['id']}"
    sandbox.faults_of["export/jobs"].append(Status(500))
    sandbox.faults_of[path].append(HTML)
    sandbox.faults_of["export/schedules"].append(Status(403))
    assert [get(sandbox, "export/jobs").status_code for _ in range(2)] == [500, 200]
    assert [get(sandbox, path).headers["Content-Type"] for _ in range(2)] == ["text/html", "application/json"]
    assert get(sandbox, "export/schedules").status_code == 403


def test_a_refused_request_spends_no_fault(sandbox, get):
    sandbox.faults_of["export/jobs"].append(Status(500))
    codes = [get(sandbox, "export/jobs", status="DONE").status_code, get(sandbox, "export/jobs").status_code]
    assert codes == [400, 500]

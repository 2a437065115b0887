"""Settings: the same files, order and variables as dbt's own."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from loaders.errors import SettingsError
from loaders.settings import load_target, project_directory, read_environment, read_yaml

PROFILES = """
hotelmind_warehouse:
  target: "{{ env_var('WHICH', 'dev') }}"
  outputs:
    dev:
      type: duckdb
      path: "{{ env_var('WAREHOUSE_PATH') }}"
      schema: "{{ env_var('WHO', 'hotelmind_warehouse') }}"
      threads: "{{ env_var('THREADS', '4') | as_number }}"
      settings: {preserve: "{{ 'true' | as_bool }}", names: ["{{ env_var('WHO', 'nobody') }}"]}
    bare: {type: duckdb}
    two: {type: duckdb, schema: s, path: "{{ env_var('ONE') }}", password: "{{ env_var('TWO') }}"}
    broken: {type: duckdb, schema: s, path: "{{ env_var( }}"}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "dbt_project.yml").write_text("name: x\nprofile: hotelmind_warehouse\n")
    (tmp_path / "profiles.yml").write_text(textwrap.dedent(PROFILES))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_values_are_rendered_and_typed_as_dbt_does(project: Path) -> None:
    target = load_target(project, environment={"WAREHOUSE_PATH": "w.duckdb"})
    assert (target.name, target.type, target.schema) == ("dev", "duckdb", "hotelmind_warehouse")
    assert target.credentials["path"] == "w.duckdb"
    assert target.credentials["threads"] == 4
    assert target.credentials["settings"] == {"preserve": True, "names": ["nobody"]}


def test_any_other_schema_is_a_prefix_of_all(project: Path) -> None:
    target = load_target(project, environment={"WAREHOUSE_PATH": "w", "WHO": "anna"})
    assert [target.schema_name(name) for name in ("stage", "hotelmind_warehouse")] == [
        "anna_stage",
        "anna_hotelmind_warehouse",
    ]
    assert load_target(project, environment={"WAREHOUSE_PATH": "w"}).schema_name("stage") == "stage"


@pytest.mark.parametrize(
    ("chosen", "environment", "expected"),
    [
        ("two", {"ONE": "1", "TWO": "2"}, "two"),
        (None, {"DBT_TARGET": "two", "ONE": "1", "TWO": "2"}, "two"),
        (None, {"WHICH": "two", "ONE": "1", "TWO": "2"}, "two"),
        (None, {"WAREHOUSE_PATH": "w"}, "dev"),
    ],
    ids=["the argument", "DBT_TARGET", "the profile's own, rendered", "the profile's default"],
)
def test_the_target_is_chosen_in_dbts_order(
    project: Path, chosen: str | None, environment: dict[str, str], expected: str
) -> None:
    assert load_target(project, target=chosen, environment=environment).name == expected


def test_profiles_are_searched_in_dbts_order(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    first, second = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    for directory in (first, second):
        text = (
            f"hotelmind_warehouse: {{target: t, outputs: {{t: {{type: duckdb, schema: s, path: {directory.name}}}}}}}"
        )
        (directory / "profiles.yml").write_text(text)
    environment = {"DBT_PROFILES_DIR": str(second), "WAREHOUSE_PATH": "own"}
    assert load_target(project, profiles_dir=str(first), environment=environment).credentials["path"] == first.name
    assert load_target(project, environment=environment).credentials["path"] == second.name
    assert load_target(project, environment={"WAREHOUSE_PATH": "own"}).credentials["path"] == "own"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("prod", r"no target 'prod'; there are: bare, broken, dev, two"),
        ("bare", r"target 'bare' lacks schema"),
        ("two", r"environment variables not set: ONE, TWO"),
        ("broken", r"a value cannot be rendered"),
    ],
)
def test_a_profile_that_cannot_be_used_says_why(project: Path, target: str, expected: str) -> None:
    with pytest.raises(SettingsError, match=rf"profiles\.yml: {expected}"):
        load_target(project, target=target, environment={})


def test_no_profile_at_all_says_what_to_copy(project: Path) -> None:
    with pytest.raises(SettingsError, match=r"no profiles\.yml in nowhere; copy profiles\.example\.yml there"):
        load_target(project, profiles_dir="nowhere")


def test_another_folder_than_the_project_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match=r"no dbt_project\.yml; run in the project's folder or set DBT_PROJECT_DIR"):
        project_directory({})


def test_yaml_that_cannot_be_parsed_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "broken.yml").write_text("a: 1\nb: [\n")
    with pytest.raises(SettingsError, match=r"broken\.yml: not valid YAML at line 3"):
        read_yaml(tmp_path / "broken.yml")


def test_a_target_never_shows_its_credentials(project: Path) -> None:
    target = load_target(project, target="two", environment={"ONE": "1", "TWO": "s3cret"})
    assert "s3cret" not in repr(target)


def test_every_missing_variable_is_named_at_once() -> None:
    assert read_environment(["A"], {"A": " a "}) == ["a"]
    with pytest.raises(SettingsError, match="set A, C in the environment"):
        read_environment(["A", "B", "C"], {"B": "b", "C": ""})

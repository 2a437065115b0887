"""The repository checks itself: described, named and wired by its own rules."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from warehouse import REPOSITORY

MATERIALIZATIONS = {"bronze_merge", "batch_replace", "truncate_insert", "append"}


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    directory = tmp_path_factory.mktemp("parse")
    environment = {**os.environ, "DBT_PROFILES_DIR": str(REPOSITORY / "demo")}
    command = ["--quiet", "--warn-error", "parse", "--target-path", str(directory), "--log-path", str(directory)]
    subprocess.run([Path(sys.executable).with_name("dbt"), *command], cwd=REPOSITORY, env=environment, check=True)
    return dict(json.loads((directory / "manifest.json").read_text()))


def of_type(manifest: dict[str, Any], *types: str) -> list[dict[str, Any]]:
    nodes = [*manifest["nodes"].values(), *manifest["sources"].values()]
    return [node for node in nodes if node["resource_type"] in types]


def own_macros(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Public macros: not the parts of a dispatch, nor of a materialization."""
    macros = [one for one in manifest["macros"].values() if one["package_name"] == "hotelmind_warehouse"]
    private = re.compile(r"(default|duckdb|postgres|snowflake)__|materialization_|test_")
    return [one for one in macros if not private.match(one["name"])]


def test_every_model_seed_and_source_is_described_with_its_columns(manifest: dict[str, Any]) -> None:
    nodes = of_type(manifest, "model", "seed", "source", "snapshot")
    assert len(nodes) > 15
    bare = [node["name"] for node in nodes if not node["description"]]
    bare += [
        f"{node['name']}.{column['name']}"
        for node in nodes
        for column in node["columns"].values()
        if not column["description"]
    ]
    assert bare == []


def test_every_macro_is_described_with_its_arguments(manifest: dict[str, Any]) -> None:
    macros = own_macros(manifest)
    assert len(macros) > 40
    # What only helps the macro whose file it stands in is described there, by its comment.
    public = [one for one in macros if Path(one["original_file_path"]).stem == one["name"]]
    bare = [one["name"] for one in public if not one["description"]]
    bare += [
        f"{one['name']}({argument['name']})"
        for one in public
        for argument in one["arguments"]
        if not argument["description"]
    ]
    assert bare == []


def test_every_macro_file_is_named_like_its_one_public_macro(manifest: dict[str, Any]) -> None:
    files = {one["original_file_path"] for one in own_macros(manifest)}
    named = {
        one["original_file_path"] for one in own_macros(manifest) if Path(one["original_file_path"]).stem == one["name"]
    }
    assert files - named == set()


def test_every_source_table_is_read_by_exactly_one_bronze_model_named_after_it(manifest: dict[str, Any]) -> None:
    models = [one for one in of_type(manifest, "model") if one["path"].startswith("bronze/")]
    sources = {node["unique_id"]: node for node in of_type(manifest, "source")}
    read = Counter(node for model in models for node in model["depends_on"]["nodes"] if node in sources)
    assert set(read.values()) == {1}
    # A raw delivery is read by the hook of the model that is named after it.
    raw = {name for name, source in sources.items() if source["config"]["meta"].get("window") == "export"}
    assert set(read) == set(sources) - raw
    assert {name.removesuffix("_raw") for name in raw} <= set(read)
    for model in models:
        (source,) = [sources[node] for node in model["depends_on"]["nodes"] if node in sources]
        assert model["name"] == f"bronze_{source['source_name']}__{source['name']}"


def test_every_bronze_model_names_its_strategy_and_a_key_where_it_needs_one(manifest: dict[str, Any]) -> None:
    for model in of_type(manifest, "model"):
        if model["path"].startswith("bronze/"):
            assert model["config"]["materialized"] in MATERIALIZATIONS, model["name"]
            source = manifest["sources"][model["depends_on"]["nodes"][0]]
            needs_key = model["config"]["materialized"] == "bronze_merge"
            assert not needs_key or source["config"]["meta"]["record_key"], model["name"]


def test_every_gold_model_has_an_enforced_contract(manifest: dict[str, Any]) -> None:
    gold = [one for one in of_type(manifest, "model") if one["path"].startswith("gold/")]
    assert len(gold) >= 5
    assert [one["name"] for one in gold if not one["contract"]["enforced"]] == []


def test_every_model_is_named_by_its_layer(manifest: dict[str, Any]) -> None:
    names = {"bronze": r"bronze_[a-z]+__[a-z_]+", "silver": r"silver_[a-z_]+s", "gold": r"(dim|fct|agg)_[a-z_]+"}
    for model in of_type(manifest, "model"):
        assert re.fullmatch(names[model["path"].split("/")[0]], model["name"])


def test_no_model_asks_which_engine_it_runs_on() -> None:
    texts = {path: path.read_text() for path in (REPOSITORY / "models").rglob("*.sql")}
    assert [str(path) for path, text in texts.items() if "target.type" in text] == []


def help_of(module: str) -> str:
    command = [sys.executable, "-m", module, "--help"]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=REPOSITORY).stdout


def test_every_command_in_the_documents_exists() -> None:
    makefile = (REPOSITORY / "Makefile").read_text()
    documents = [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")]
    commands = [line.strip() for one in documents for line in one.read_text().splitlines() if line.startswith("    ")]
    for command in commands:
        words = command.split()
        if words[:1] == ["make"]:
            assert re.search(rf"^{words[1]}:", makefile, re.MULTILINE), command
        elif words[:2] == ["python", "-m"]:
            options = [word for word in words[3:] if word.startswith("--")]
            result = subprocess.run(
                [sys.executable, "-m", words[2], "--help"], capture_output=True, text=True, check=True
            )
            assert [one for one in options if one not in result.stdout] == [], command


def test_every_option_of_the_loaders_is_in_the_readme_or_the_operations_page() -> None:
    documents = "".join(one.read_text() for one in [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")])
    for module in ("loaders.gladly", "loaders.operational", "loaders.status"):
        options = set(re.findall(r"--[a-z][a-z-]+", help_of(module))) - {"--help"}
        assert sorted(one for one in options if one not in documents) == []


def test_every_test_that_the_guarantees_name_exists() -> None:
    named = re.findall(r"test_\w+", (REPOSITORY / "docs" / "guarantees.md").read_text())
    assert len(named) > 50
    files = [path for path in (REPOSITORY / "tests").rglob("test_*.py") if path != Path(__file__)]
    found = {name for path in files for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)}
    assert sorted(set(named) - found) == []

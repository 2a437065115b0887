"""run_python: a macro calls Python on the model's own connection, in any dbt project."""

from __future__ import annotations

import subprocess
import sys

import pytest

from warehouse import REPOSITORY, Warehouse


def hooked(warehouse: Warehouse, call: str) -> None:
    warehouse.write(
        "models/bronze_contacts.sql", "{{ config(materialized='table', pre_hook='{{ note() }}') }}\nselect 1 as a"
    )
    warehouse.write("macros/note.sql", f"{{% macro note() %}}{call}{{% endmacro %}}")
    project = warehouse.files["dbt_project.yml"].replace("macro-paths: [", "macro-paths: ['macros', ")
    warehouse.write("dbt_project.yml", project)


@pytest.mark.parametrize("command", ["build", "run"])
def test_a_hook_asks_the_database_through_python(warehouse: Warehouse, command: str) -> None:
    hooked(
        warehouse,
        "{% set found = run_python('called_by_macros:count_tables', {'schema': 'hotelmind_warehouse'}) %}"
        "{% do log('python found ' ~ found ~ ' tables', info=true) if found is not none %}",
    )
    build = warehouse.dbt(command, "--threads", "8")
    assert build.success, build
    assert any("python found 2 tables" in line for line in build.log)


def test_an_error_in_python_fails_the_model(warehouse: Warehouse) -> None:
    hooked(warehouse, "{% do run_python('called_by_macros:fail') %}")
    assert "cannot be normalized" in warehouse.dbt("build").failure()


def test_without_the_python_side_the_macro_says_how_to_install_it(duckdb_warehouse: Warehouse) -> None:
    hooked(duckdb_warehouse, "{% do run_python('os:getcwd') %}")
    # dbt as it is without this project: only what is installed beside it.
    code = (
        "import sys, pkgutil; found = pkgutil.iter_modules;"
        "pkgutil.iter_modules = lambda *a, **k: (m for m in found(*a, **k) if m.name != 'dbt_hotelmind');"
        "from dbt.cli.main import cli; cli(sys.argv[1:])"
    )
    command = [sys.executable, "-c", code, *duckdb_warehouse.arguments("build")]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=duckdb_warehouse.directory)
    assert result.returncode == 1
    assert "pip install -e . in its folder" in result.stdout


def test_the_plugin_stays_small() -> None:
    assert len((REPOSITORY / "dbt_hotelmind.py").read_text().splitlines()) < 40

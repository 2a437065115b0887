"""`make docs`: every model with its columns and its lineage, in one file that a browser shows without a network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import Page, open_browser
from warehouse import REPOSITORY

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NEEDS_BROWSER = pytest.mark.skipif(
    CHROMIUM is None, reason="needs a browser (CI's docs job has one): apt-get install chromium"
)
# One build for all of them.
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("docs site")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `make docs` filled, with this environment in place of .venv."""
    directory = tmp_path_factory.mktemp("site")
    command = ["make", "-o", ".venv/installed", "docs", f"SITE={directory}", f"BIN={Path(sys.executable).parent}"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("DBT_")}
    result = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.splitlines()[-1] == f"{directory}/static_index.html"
    return directory


@pytest.fixture(scope="module")
def page(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser at the file alone, in a folder of its own."""
    alone = tmp_path_factory.mktemp("alone") / "index.html"
    shutil.copy(site / "static_index.html", alone)
    assert CHROMIUM
    with open_browser(CHROMIUM) as page:
        page.open(f"file://{alone}")
        yield page


def catalog(site: Path) -> dict[str, Any]:
    return dict(json.loads((site / "catalog.json").read_text()))


def test_every_model_stands_in_the_catalog_with_its_columns(site: Path) -> None:
    nodes = json.loads((site / "manifest.json").read_text())["nodes"].values()
    tables = {one["unique_id"] for one in nodes if one["resource_type"] in ("model", "seed")}
    assert len(tables) > 15
    assert tables - set(catalog(site)["nodes"]) == set()
    assert all(one["columns"] for one in catalog(site)["nodes"].values())


@NEEDS_BROWSER
def test_the_search_finds_a_model(page: Page) -> None:
    page.wait_for("document.querySelector('#search') && document.body.innerText.includes('operational')")
    page.evaluate(
        "(() => { const search = document.querySelector('#search'); search.focus(); search.value = 'fct_reserv';"
        " search.dispatchEvent(new Event('input', {bubbles: true}));"
        " search.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )
    first = page.wait_for("document.querySelector('.search-result')?.getAttribute('href')")
    assert first == "#!/model/model.hotelmind_warehouse.fct_reservations"


@NEEDS_BROWSER
def test_a_model_is_shown_with_its_description_and_its_columns(page: Page) -> None:
    page.evaluate("location.hash = '#!/model/model.hotelmind_warehouse.fct_contacts'")
    text = page.wait_for("document.body.innerText.includes('is_within_service_level') && document.body.innerText")
    for part in (
        "One row a contact of the support desk",
        "Gladly's id of the contact",
        "VARCHAR",
        "NUMERIC",
        "Enforced",
    ):
        assert part.lower() in text.lower()


@NEEDS_BROWSER
def test_the_lineage_of_a_model_goes_back_to_its_source(page: Page) -> None:
    url = page.evaluate("location.href.split('#')[0]")
    page.open(f"{url}#!/model/model.hotelmind_warehouse.fct_contacts?g_v=1&g_i=%2Bfct_contacts")
    shown = "graph.nodes(':visible').map(one => one.id()).sort().join(' ')"
    # What is behind it, and nothing that is made of it.
    found = page.wait_for(f"{shown}.includes('source.') && !{shown}.includes('exposure.') && {shown}").split()
    for name in (
        "source.hotelmind_warehouse.gladly.contact_export",
        "model.hotelmind_warehouse.bronze_gladly__contact_export",
        "model.hotelmind_warehouse.silver_contacts",
        "seed.hotelmind_warehouse.seed_channels",
    ):
        assert name in found
    assert page.evaluate("document.querySelectorAll('canvas').length") > 0

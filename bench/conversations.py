"""python -m bench.conversations: nested objects to bronze root and child tables, as whole processes."""

from __future__ import annotations

import argparse
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bench.scratch import measure, write_project
from loaders.batch import Batch, make_pipeline_run_id
from loaders.gladly.exports import lines_of
from loaders.names import LINE
from loaders.nested import JsonLines, NestedOptions, preview
from loaders.settings import load_target
from loaders.stage import open_stage

_ROOT = """
{{ config(materialized='bronze_merge', schema='bronze', pre_hook="{{ normalize_nested('bench', 'objects') }}") }}
select * from {{ landed('bench', 'objects') }}
"""
_CHILD = """
{{{{ config(materialized='batch_replace', schema='bronze') }}}}
select * from {{{{ landed('bench', '{name}', parent='bronze_objects') }}}}
"""


def main() -> int:
    """Preview and spill the file, then land it as a raw batch and build bronze; print what each process took."""
    parser = argparse.ArgumentParser(prog="python -m bench.conversations", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE", help="JSON lines, each with an id of its own")
    options = parser.parse_args()
    shell = ["python", "-m", "loaders.nested"]
    keys = ["--root", "objects", "--key", "id"]
    found = preview(JsonLines.of_file(options.file), NestedOptions("objects", root_key=["id"]))
    children = [table.facts.name for table in found.tables[1:]]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        measure("preview         ", [*shell, "preview", str(options.file), *keys], directory, {})
        for verify in ("sample", "all"):
            spill = [*shell, "spill", str(options.file), "--directory", verify, "--verify", verify, *keys]
            measure(f"spill {verify:10}", spill, directory, {})
        nested = {"record_key": ["id"], "nested": {"root_key": ["id"]}}
        tables = [{"name": "objects_raw"}, {"name": "objects", "config": {"meta": nested}}]
        write_project(
            directory,
            source="bench",
            tables=[*tables, *({"name": child} for child in children)],
            models={"bronze_objects": _ROOT, **{f"bronze_{child}": _CHILD.format(name=child) for child in children}},
        )
        _land(directory, options.file)
        measure("dbt build       ", ["dbt", "--quiet", "build"], directory, {})
    return 0


def _land(directory: Path, path: Path) -> None:
    """Land the file as the loader of exports lands one."""
    raw = Batch("bench.objects_raw", "one", make_pipeline_run_id(), datetime.now(UTC), {LINE: path.name})
    target = load_target(directory, profiles_dir=str(directory))
    with path.open("rb") as body:
        open_stage(target).land(raw, lines_of(body, path.name))


if __name__ == "__main__":
    sys.exit(main())

"""python -m loaders.erase: a person, from everything that the warehouse keeps."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from loaders.command_line import DONE, FAILED, add_target_arguments, run
from loaders.erase import open_eraser
from loaders.erase.declaration import read_declaration
from loaders.erase.person import IDENTIFIERS, Person
from loaders.erase.search import Finding, find
from loaders.settings import load_target, project_directory


def main(arguments: Sequence[str] | None = None) -> int:
    """Erase one person."""
    parser = argparse.ArgumentParser(
        prog="python -m loaders.erase",
        description="Remove a person's rows, and what other rows say of them, from the stage and every table, and "
        "leave no trace on the disk. Erase them at the source first, and let no loader and no dbt run meanwhile.",
    )
    add_target_arguments(parser)
    parser.add_argument("--customer-id", metavar="ID", help="Gladly's id of the customer")
    parser.add_argument("--guest-id", metavar="ID", help="the hotel application's id of the guest")
    parser.add_argument("--email", metavar="ADDRESS", help="an e-mail address of the person")
    parser.add_argument("--dry-run", action="store_true", help="say how much would be removed, and remove nothing")
    options = parser.parse_args(arguments)
    given = {name: (getattr(options, name) or "").strip() for name in IDENTIFIERS}
    person = Person({name: value for name, value in given.items() if value})
    if not person.values:
        parser.error("name the person: --customer-id, --guest-id or --email")
    return run(lambda: _erase(options, person))


def _erase(options: argparse.Namespace, person: Person) -> int:
    project = project_directory()
    target = load_target(project, target=options.target, profiles_dir=options.profiles_dir)
    eraser = open_eraser(target, read_declaration(project, target))
    with eraser.opened():
        finding = find(eraser.query, eraser.relations(), person)
        if not options.dry_run:
            eraser.erase(finding)
    if options.dry_run:
        print(f"would be erased: {_counts(finding)}")
        return _explain(_untagged(finding))
    hindrances = eraser.rewrite()
    with eraser.opened():
        left = find(eraser.query, eraser.relations(), person)
    line = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} erased by {', '.join(person.values)}: {_counts(finding)}"
    print(line)
    _append(project / "logs" / "erasures.log", line)
    hindrances += [
        f"{one.relation.name} has the person again; a loader or dbt ran" for one in left.found if one.is_touched
    ]
    return _explain([*hindrances, *_untagged(left)])


def _counts(finding: Finding) -> str:
    """What was found, by relation; no value of it."""
    rows: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in finding.found:
        rows[one.relation.name][0] += one.row_count
        rows[one.relation.name][1] += sum(one.mentions.values())
    parts = [f"{name} {count} rows" for name, (count, _) in rows.items() if count]
    parts += [f"{name} {count} mentions" for name, (_, count) in rows.items() if count]
    return ", ".join(parts) or "nothing"


def _untagged(finding: Finding) -> list[str]:
    return [
        f"{one.relation.name}.{column} mentions the person in {count} rows; tag the column `personal: text` in its"
        " YAML, and run the command again"
        for one in finding.found
        for column, count in one.untagged.items()
    ]


def _explain(hindrances: Sequence[str]) -> int:
    for one in dict.fromkeys(hindrances):
        print(f"error: {one}", file=sys.stderr)
    return FAILED if hindrances else DONE


def _append(path: Path, line: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())

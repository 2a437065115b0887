"""A package is handed over whole: staged, then finalized, or aborted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loaders.errors import StageError
from loaders.nested import NestedOptions, RefusedError, SinkError, deliver, normalize, spill

OBJECTS: list[dict[str, Any]] = [{"id": "a", "rooms": [{"keys": ["k"]}], "guest": {"name": "x"}}]
OPTIONS = NestedOptions("visits", root_key=["id"])


class Recorder:
    """A sink that writes down its calls, and fails at one of them."""

    def __init__(self, fails_at: str = "") -> None:
        self.calls: list[str] = []
        self._fails_at = fails_at

    def stage(self, table: Any) -> None:
        self._call(f"stage {table.facts.name}")

    def finalize(self) -> None:
        self._call("finalize")

    def abort(self) -> None:
        self._call("abort")

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if name == self._fails_at:
            raise StageError(f"{name} failed")


STAGED = ["stage visits__guest", "stage visits__rooms__keys", "stage visits__rooms", "stage visits"]


def test_children_are_staged_before_their_parents_and_the_root_last(tmp_path: Path) -> None:
    generation = spill(OBJECTS, tmp_path, OPTIONS)
    assert generation
    for package in (normalize(OBJECTS, OPTIONS), generation):
        sink = Recorder()
        deliver(package, sink)
        assert sink.calls == [*STAGED, "finalize"]


@pytest.mark.parametrize("fails_at", ["stage visits__guest", "stage visits", "finalize"])
def test_a_failure_before_the_end_takes_back_what_was_staged(fails_at: str) -> None:
    sink = Recorder(fails_at)
    with pytest.raises(StageError, match=f"{fails_at} failed"):
        deliver(normalize(OBJECTS, OPTIONS), sink)
    assert sink.calls[-2:] == [fails_at, "abort"]


@pytest.mark.parametrize("missing", ["stage", "finalize", "abort"])
def test_a_sink_that_lacks_a_call_is_refused_before_it_is_used(missing: str) -> None:
    sink = Recorder()
    setattr(sink, missing, None)
    with pytest.raises(
        SinkError, match=f"NESTED_SINK_INCOMPLETE: Recorder has no {missing}; nothing was staged"
    ) as caught:
        deliver(normalize(OBJECTS, OPTIONS), sink)
    assert caught.value.code == "NESTED_SINK_INCOMPLETE"
    assert sink.calls == []


def test_an_object_is_no_sink() -> None:
    with pytest.raises(SinkError, match="object has no stage, finalize, abort"):
        deliver(normalize(OBJECTS, OPTIONS), object())  # type: ignore[arg-type]


def test_what_fails_a_check_never_reaches_a_sink(tmp_path: Path) -> None:
    sink = Recorder()
    with pytest.raises(RefusedError, match="1 root keys come more than once"):
        deliver(normalize(OBJECTS * 2, OPTIONS), sink)
    with pytest.raises(RefusedError, match="1 root keys come more than once"):
        spill(OBJECTS * 2, tmp_path, OPTIONS)
    assert sink.calls == []
    assert list(tmp_path.iterdir()) == []

"""Row ids: what they depend on, and what they never depend on."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, date, datetime, time
from decimal import Decimal
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from loaders.nested import JsonLines, NestedOptions, Number, Package, RefusedError, normalize, rebuild, spill
from loaders.nested.identity import encode, id_prefix, key_id, place_id

PROJECT = Path(__file__).parents[2]


def ids(package: Package, table: str) -> list[str]:
    return [row["row_id"] for row in package.tables[table].rows()]


def package_of(*objects: dict[str, Any], **options: Any) -> Package:
    return normalize(objects, NestedOptions("visits", **options))


def test_ids_are_those_of_version_1() -> None:
    package = package_of(
        {"id": "a", "rooms": [{"no": 1, "keys": ["k"]}, {"no": 2}], "guest": {"name": "Zoë"}, "topics": ["x", "y"]},
        {"id": "ä|1", "rooms": [{"no": "1"}]},
        root_key=["id"],
        child_keys={"rooms": ["rooms.no"]},
    )
    assert {name: ids(package, name) for name in package.tables} == GOLDEN


def test_an_id_is_the_digest_of_a_text_that_can_be_written_by_hand() -> None:
    root = blake2b(b"1|6:visits|=[s1:a]", digest_size=16).hexdigest()
    assert GOLDEN["visits"][0] == root
    assert GOLDEN["visits__rooms"][0] == blake2b(f"1|5:rooms|{root}=[i1:1]".encode(), digest_size=16).hexdigest()
    assert GOLDEN["visits__guest"][0] == blake2b(f"1|5:guest|{root}#None".encode(), digest_size=16).hexdigest()
    assert GOLDEN["visits__topics"][1] == blake2b(f"1|6:topics|{root}#1".encode(), digest_size=16).hexdigest()


def test_ids_of_every_type_are_those_of_version_1() -> None:
    prefix = id_prefix("visits")
    assert {encode(part): key_id(prefix, "", [part]) for part in PARTS} == GOLDEN_PARTS


PARTS: list[Any] = [
    1,
    "1",
    1.0,
    True,
    "True",
    "true",
    None,
    "None",
    "",
    b"1",
    "31",
    Decimal("1"),
    Number("1.00"),
    Number("123456789012345678901"),
    date(2026, 1, 2),
    "2026-01-02",
    datetime(2026, 1, 2, tzinfo=UTC),
    datetime(2026, 1, 2),
    time(1, 2),
    ["1"],
    ("1",),
    ["1", ["2"]],
    [["1"], "2"],
    "s1:1",
]


def test_no_value_has_the_id_of_a_look_alike() -> None:
    assert len({key_id("p", "", [part]) for part in PARTS}) == len(PARTS)
    assert len({encode(part) for part in PARTS}) == len(PARTS)
    assert key_id("p", "", ["a", "b"]) != key_id("p", "", ["ab", ""]) != key_id("p", "", ["a,b"])


def test_how_a_number_was_read_is_no_part_of_its_id() -> None:
    assert encode(Number("1.5")) == encode(1.5)
    assert encode(Number("123")) == encode(123)
    assert encode(Number("123456789012345678901")) == encode(123456789012345678901)


@pytest.mark.parametrize("value", [{1, 2}, object(), {"a": 1}])
def test_what_has_no_fixed_text_has_no_id(value: Any) -> None:
    with pytest.raises(TypeError, match="has no identity"):
        encode(value)


def test_a_place_is_no_key_and_no_other_place() -> None:
    prefix, parent = id_prefix("rooms"), "0" * 32
    found = [place_id(prefix, parent, index) for index in (None, 0, 1, 10)]
    found += [key_id(prefix, parent, [part]) for part in (0, "0", "None")]
    found += [place_id(id_prefix("room"), parent, 0), place_id(prefix, "1" * 32, 0)]
    assert len(set(found)) == len(found)


def test_equal_children_of_two_parents_have_two_ids() -> None:
    twins = [{"id": name, "rooms": [{"no": "1", "keys": [{"k": 1}]}]} for name in ("a", "b")]
    for keys in ({}, {"rooms": ["rooms.no"], "rooms.keys": ["rooms.keys.k"]}):
        package = package_of(*twins, root_key=["id"], child_keys=keys)
        assert len(set(ids(package, "visits__rooms"))) == len(set(ids(package, "visits__rooms__keys"))) == 2


def test_with_a_child_key_the_order_of_a_list_does_not_matter_and_without_one_it_does() -> None:
    rooms = [{"no": "1"}, {"no": "2"}, {"no": "3"}]

    def found(order: list[dict[str, str]], **keys: Any) -> dict[str, str]:
        package = package_of({"id": "a", "rooms": order}, root_key=["id"], **keys)
        return {row["no"]: row["row_id"] for row in package.tables["visits__rooms"].rows()}

    keyed = {"child_keys": {"rooms": ["rooms.no"]}}
    assert found(rooms, **keyed) == found(rooms[::-1], **keyed)
    assert found(rooms) != found(rooms[::-1])


def test_an_element_itself_may_be_the_key() -> None:
    keyed = {"root_key": ["id"], "child_keys": {"topics": ["topics[]"]}}
    one = package_of({"id": "a", "topics": ["x", "y"]}, **keyed)
    other = package_of({"id": "a", "topics": ["y", "x"]}, **keyed)
    assert ids(one, "visits__topics") == ids(other, "visits__topics")[::-1]


def test_a_child_key_may_use_the_root_and_a_table_between() -> None:
    key = {"a.b": ["id", "a.name", "a.b.no"]}

    def found(name: str) -> str:
        value = {"id": "r", "a": [{"name": name, "b": [{"no": 1}]}, {"name": "z", "b": {"no": 2}}]}
        return ids(package_of(value, child_keys=key), "visits__a__b")[0]

    assert found("x") == found("x") != found("y")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [{"name": None, "b": [{"no": 1}]}]}, "path a.name: is NULL or missing, but part of the key of table"),
        ({"a": [{"b": [{"no": 1}]}]}, "path a.name: is NULL or missing"),
        ({"a": [{"name": "x", "b": [{"no": None}]}]}, "path a.b.no: is NULL or missing"),
        ({"a": [{"name": "x", "b": [{"other": 1}]}]}, "path a.b.no: is NULL or missing"),
        ({"a": [{"name": "x", "b": ["no"]}]}, "path a.b.no: is NULL or missing"),
        ({"a": [{"name": "x", "b": [{"no": [1]}]}]}, "path a.b.no: is a list, but part of the key"),
        ({"a": [{"name": {}, "b": [{"no": 1}]}]}, "path a.name: is a dict, but part of the key"),
    ],
)
def test_a_part_of_a_child_key_that_says_nothing_is_refused(value: dict[str, Any], message: str) -> None:
    with pytest.raises(RefusedError, match=f"record 1: {message}"):
        package_of(value, child_keys={"a.b": ["a.name", "a.b.no"]})


@pytest.mark.parametrize("value", [{}, {"id": None, "no": 1}, {"id": "a"}, {"id": [1], "no": 1}])
def test_a_root_without_its_whole_key_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(RefusedError, match=r"record 2: path (id|no): is .*part of the key of table 'visits'"):
        package_of({"id": "a", "no": 1}, value, root_key=["id", "no"])


def test_two_roots_with_one_key_are_refused_whatever_the_policy(tmp_path: Path) -> None:
    objects = [{"id": "a"}, {"id": "b"}, {"id": "a", "x": 1}]
    for policy in ("fail", "warn", "skip"):
        options = NestedOptions("visits", root_key=["id"], duplicates=policy)
        with pytest.raises(RefusedError, match="1 root keys come more than once: records 1 and 3"):
            normalize(objects, options)
        with pytest.raises(RefusedError, match="1 root keys come more than once: records 1 and 3"):
            spill(objects, tmp_path, options)
    assert list(tmp_path.iterdir()) == []


def test_roots_whose_keys_differ_in_type_alone_are_two() -> None:
    package = package_of(*({"id": key} for key in (1, "1", 1.0, True)), root_key=["id"])
    assert len(set(ids(package, "visits"))) == 4


def test_a_root_without_a_key_is_its_number_in_the_whole_source(tmp_path: Path) -> None:
    objects = [{"a": {"b": number}} for number in range(40_000)]
    package = package_of(*objects, verify="none")
    assert len(set(ids(package, "visits"))) == 40_000
    assert ids(package, "visits")[-1] == place_id(id_prefix("visits"), "", 40_000)
    generation = spill(objects, tmp_path, NestedOptions("visits", verify="none"))
    assert generation
    last = list(generation.tables["visits"].batches())[-1].to_pylist()[-1]
    assert last["row_id"] == ids(package, "visits")[-1]
    assert last["record_number"] == 40_000


def test_ids_are_the_same_in_every_process() -> None:
    script = (
        "import json, sys\n"
        "from loaders.nested import JsonLines, NestedOptions, normalize\n"
        "lines = JsonLines(enumerate(sys.stdin.buffer, 1), name='x')\n"
        "options = NestedOptions('visits', root_key=['id'], child_keys={'b': ['b.k']})\n"
        "package = normalize(lines, options)\n"
        "print(json.dumps({n: t.rows() for n, t in package.tables.items()}))\n"
    )
    body = "".join(f'{{"id":{n},"a":{{"x":[{n},"{n}",true]}},"b":[{{"k":"é{n}"}},{{"k":1.50}}]}}\n' for n in range(50))
    found = [
        subprocess.run(
            [sys.executable, "-c", script],
            input=body.encode(),
            capture_output=True,
            check=True,
            cwd=PROJECT,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert found[0] == found[1]
    lines = JsonLines(enumerate(body.splitlines(), 1), name="x")
    package = normalize(lines, NestedOptions("visits", root_key=["id"], child_keys={"b": ["b.k"]}))
    assert json.loads(found[0]) == {name: table.rows() for name, table in package.tables.items()}


def test_values_of_python_come_back_with_their_types() -> None:
    values = {
        "a": Decimal("1.50"),
        "b": b"\x00\xff",
        "c": date(2026, 1, 2),
        "d": datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC),
        "e": time(1, 2),
        "f": ["2026-01-02", date(2026, 1, 2), "00ff", b"\x00\xff", Decimal(1), 1],
    }
    (found,) = rebuild(package_of(values, verify="all"))
    assert found == values
    assert [type(part) for part in found["f"]] == [type(part) for part in values["f"]]


GOLDEN = {
    "visits": ["e9fc4b7422d313fc5c266a60dd803637", "593268502460781c5be558b76959fcde"],
    "visits__rooms": [
        "41ecd92e897bb706d4754f915441813d",
        "0c80d526e59fe17061763b3208b5fdfb",
        "f9dbbedf8909e55f39b6fad4c2ac709d",
    ],
    "visits__rooms__keys": ["df6a73619341144f498f353350f6e3f0"],
    "visits__guest": ["3b4dee0eedc9763f9fa881f8247ace85"],
    "visits__topics": ["92e6ce35c94574fb180eddb8e015746f", "46c973eabf978744bcd39fdbab26ded1"],
}
GOLDEN_PARTS = {
    "i1:1": "84bc5470077a1e68ccb35fde3f085690",
    "s1:1": "ae7468a579d0ea1f6e1bdfae6fe940d0",
    "f3:1.0": "8621e55d18afdb5f9ebb1e0d4d100ccd",
    "b4:True": "fbd15a01cdeaadac30035fbb4fc96da7",
    "s4:True": "192333ac840312bc0e17d2c227fe19f6",
    "s4:true": "b1f25d88ea4cd58014590d76406252b1",
    "z4:None": "41007c9082b8e8bbfac0298d1d35b272",
    "s4:None": "058f0d3403d9ccaef58a9c4df2780148",
    "s0:": "15d295b96478c5c6a1d3a471a9901680",
    "x2:31": "adf6ba443b13861e7db49d8069c46928",
    "s2:31": "736abee3f2837ab41f6acd18ed395784",
    "c1:1": "cda6a6977eac7dc91cdfcf85c6fa5263",
    "f4:1.00": "0d2e390e48beef48c14e6a48fe819b3c",
    "i21:123456789012345678901": "4bed776d9fe86a388b4b21c1ebcdb4a9",
    "d10:2026-01-02": "b280437f9fbdd139e7c642d3f7a3d0bb",
    "s10:2026-01-02": "e47a48f5eaebd41d226c735b93df3fa0",
    "m25:2026-01-02T00:00:00+00:00": "1303b2c7e0eab91278c63439f763e054",
    "m19:2026-01-02T00:00:00": "23bcbfbd8950c370853b867aafa7c9a6",
    "t8:01:02:00": "c19ba86053ba86160dd7fda69646eb9c",
    "[s1:1]": "6ac3f22e42f225aaccdc3f82a06b1d45",
    "(s1:1)": "0c723f415b7548e547b5685eab28fde8",
    "[s1:1[s1:2]]": "4ab8f4dab4e2d0df2a1c9f9c20830c75",
    "[[s1:1]s1:2]": "f08409f08a2a40cd1b868391a8414d8c",
    "s4:s1:1": "d9154a89f79c60556983427c1f9a2aa3",
}

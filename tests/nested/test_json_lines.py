"""Every character of a number and every key of an object, or a refusal with the line."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loaders.nested import JsonLines, NestedOptions, Number, RefusedError, normalize, rebuild, spill
from loaders.nested.json_text import parse_line, parse_number, write_json

CASES = Path(__file__).parent / "cases"


def read(text: bytes | str) -> list[Any]:
    body = text.encode() if isinstance(text, str) else text
    return list(JsonLines.of_stream(io.BytesIO(body), name="items.jsonl"))


def test_every_digit_is_kept(tmp_path: Path) -> None:
    generation = spill(JsonLines.of_file(CASES / "numbers.jsonl"), tmp_path, NestedOptions("quotes", root_key=["id"]))
    assert generation
    (row,) = next(generation.tables["quotes"].batches()).to_pylist()
    assert (row["big"], row["dec"], row["small"]) == ("9007199254740993", "1884518522.1684267241", "0.1")
    assert list(map(write_json, rebuild(generation))) == (CASES / "numbers.jsonl").read_bytes().splitlines()


NUMBERS = "0 -0 1 -1 1.0 1.50 0.1 -0.0 1e5 1E5 1e+5 1e-7 1e400 1e16 10000000000000000.0 123456789012345678901234567890"
NUMBERS += " 18446744073709551615 18446744073709551616 -9223372036854775808 -9223372036854775809 0.30000000000000004"
NUMBERS += " 1884518522.1684267241 5e-324 2.5e-320 0.000001 " + "9" * 5000


@pytest.mark.parametrize("text", NUMBERS.split(), ids=lambda text: text[:30])
def test_a_number_keeps_its_characters(text: str) -> None:
    assert parse_line(text.encode()) == parse_number(text)
    line = f'{{"a":[{text},"{text}"],"b":{text}}}'
    package = normalize(JsonLines([(1, line)], name="x"), NestedOptions("r", verify="all"))
    assert package.tables["r"].rows()[0]["b"] == text
    assert list(map(write_json, rebuild(package))) == [f'{{"b":{text},"a":[{text},"{text}"]}}'.encode()]


def test_numbers_that_python_keeps_are_ints_and_floats() -> None:
    (value,) = read('{"a":1,"b":1.5,"c":1.50}')
    assert [type(value[key]) for key in "abc"] == [int, float, Number]


def test_what_is_no_json_number_is_refused_with_the_line(tmp_path: Path) -> None:
    for lines, message in (([0, 1], "line 1: NaN is no"), ([1], "line 1: -Infinity is no JSON number")):
        body = (CASES / "not_json_numbers.jsonl").read_bytes().splitlines()
        source = JsonLines.of_stream([body[line] for line in lines], name="scores.jsonl")
        with pytest.raises(RefusedError, match=f"scores.jsonl {message}"):
            spill(source, tmp_path, NestedOptions("scores", root_key=["id"]))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"a":1,"b":{"c":1,"c":1}}', "key 'c' stands twice in one object"),
        (b'{"a":1, "b":2, "a":3}', "key 'a' stands twice"),
        (b'{"a" :1,"a":":"}', "key 'a' stands twice"),
        (b'{"a":1,"\\u0061":2}', "key 'a' stands twice"),
        (b'{"a":"\\ud800"}', "cannot be kept: a text holds a lone surrogate"),
        (b'{"\\udc00":1}', "cannot be kept: a text holds a lone surrogate"),
        (b'{"a":"x\\u0000"}', r"a text holds U\+0000"),
        (b'{"a\\u0000":[]}', r"a text holds U\+0000"),
        (b'{"a":"\\\\\\u0000"}', r"a text holds U\+0000"),
        (b'{"a":"\x00"}', "is not JSON: Invalid control character at character 7"),
        (b'{"a":"\xff"}', "is not UTF-8: byte 7 is 0xff"),
        (b'{"a":"\xed\xa0\x80"}', "is not UTF-8"),
        (b'{"a":1', "is not JSON: Expecting ',' delimiter at character 7"),
        (b'{"a":1}{"a":2}', "is not JSON: Extra data at character 8"),
        (b'{"a":01}', "is not JSON"),
        (b"{'a':1}", "is not JSON"),
        (b'\xef\xbb\xbf{"a":1}', "starts with a byte order mark"),
        (b"[" * 100_000 + b"]" * 100_000, "is nested too deeply to be read"),
        (b'{"a":' * 300 + b"1" + b"}" * 300, "cannot be kept: Recursion limit reached"),
        (b"[1]", "is a list, expected an object"),
        (b'"x"', "is a str, expected an object"),
    ],
    ids=lambda part: str(part)[:24],
)
def test_a_damaged_line_is_refused_with_its_number(line: bytes, message: str) -> None:
    body = b'{"id":1}\n\n' + line + b'\n{"id":2}\n'
    with pytest.raises(RefusedError, match=f"items.jsonl line 3: {message}"):
        normalize(JsonLines.of_stream(io.BytesIO(body), name="items.jsonl"), NestedOptions("r"))


@pytest.mark.parametrize("text", [r"\\u0000", r"\\\\u0000", "\\ud83d\\ude00", "\\u00e9 \\/", 'say \\"a\\": 1, b'])
def test_a_look_alike_of_what_is_refused_is_kept(text: str) -> None:
    line = f'{{"a":"{text}"}}'
    assert read(line) == [json.loads(line)]


def test_blank_lines_are_counted_and_left_out_and_errors_count_them() -> None:
    source = JsonLines.of_stream([b"\n", b'{"a":1}\r\n', b" \t\n", b'{"a":2}'], name="x")
    package = normalize(source, NestedOptions("r"))
    assert (package.record_count, package.blank_count) == (2, 2)
    assert [row["record_number"] for row in package.tables["r"].rows()] == [2, 4]


def test_records_come_with_the_numbers_they_are_given() -> None:
    source = JsonLines([(17, '{"a":1}'), (23, '{"a":}')], name="gladly.items_raw job1")
    with pytest.raises(RefusedError, match=r"^gladly\.items_raw job1 line 23: is not JSON"):
        list(source)


def test_a_lone_surrogate_in_a_text_of_lines_is_refused() -> None:
    with pytest.raises(RefusedError, match="x line 1: holds a lone surrogate"):
        list(JsonLines([(1, '{"a":"\ud800"}')], name="x"))


def test_no_number_can_be_made_of_what_is_none() -> None:
    for text in ("", "NaN", "01", "1.", '1,"a":2', "+1", " 1"):
        with pytest.raises(ValueError, match="is not a JSON number"):
            Number(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)
SPELLINGS = st.fixed_dictionaries(
    {"ensure_ascii": st.booleans(), "separators": st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")])}
)


@given(value=JSON, spelling=SPELLINGS)
@settings(max_examples=600, deadline=None)
def test_however_json_is_spelled_the_same_value_is_read(value: Any, spelling: dict[str, Any]) -> None:
    line = json.dumps(value, **spelling)
    try:
        found = parse_line(line.encode("utf-8", "surrogatepass"))
    except ValueError as error:
        assert "U+0000" in str(error) or "surrogate" in str(error) or "UTF-8" in str(error)  # noqa: PT017
        return
    assert json.loads(write_json(found)) == value


@given(
    value=st.dictionaries(st.sampled_from(["a", "b", "a, b", "a,b", 'a"', 'a\\":']), JSON, min_size=1), data=st.data()
)
@settings(max_examples=400, deadline=None)
def test_a_key_that_stands_twice_never_gets_through(value: dict[str, Any], data: st.DataObject) -> None:
    spelling = data.draw(SPELLINGS)
    key = data.draw(st.sampled_from(list(value)))
    inner = json.dumps(value, **spelling)[1:-1]
    again = json.dumps({key: data.draw(JSON)}, **spelling)[1:-1]
    for line in (f"{{{inner},{again}}}", f"[{{{again}, {inner}}}]"):
        with pytest.raises(ValueError, match=r"stands twice|UTF-8"):
            parse_line(line.encode("utf-8", "surrogatepass"))

"""Paths into a row, and texts that write lists."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorer_runner.reading.cells import literal
from scorer_runner.reading.paths import EACH, shown, steps_of, value_at, without

ROW = {
    "retrieval": {"chunks": [{"text": "a", "score": 1}, {"text": "b"}], "query": "q"},
    "choices": [{"message": {"content": "hi"}}],
    "a.b": "a column of that very name",
    "a": {"b": "inside"},
    "cell": '{"inner": ["x", "y"]}',
    "one": {"only": "this"},
    "pages": [{"lines": ["1", "2"]}, {"lines": ["3"]}, {}],
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("retrieval.query", "q"),
        ("retrieval.chunks[]", ROW["retrieval"]["chunks"]),  # type: ignore[index]
        ("retrieval.chunks[].text", ["a", "b"]),
        ("retrieval.chunks[].score", [1, None]),
        ("retrieval.chunks[1].text", "b"),
        ("retrieval.chunks[2].text", None),
        ("choices[0].message.content", "hi"),
        ("a.b", "a column of that very name"),
        ("cell.inner[1]", "y"),
        ("cell.inner[]", ["x", "y"]),
        ("one.*", "this"),
        ("retrieval.*", None),
        ("pages[].lines[]", ["1", "2", "3"]),
        ("retrieval.none.deeper", None),
        ("retrieval[]", None),
        ("choices.message", None),
    ],
)
def test_a_path_leads_to_a_value(path: str, value: Any) -> None:
    assert value_at(ROW, path) == value


@pytest.mark.parametrize("path", ["a[", "a]b", "a..b", "[x]", "what? (1.5)["])
def test_what_is_not_written_as_a_path_is_a_single_name(path: str) -> None:
    assert steps_of(path) == (path,)


def test_a_path_is_shown_as_it_is_written() -> None:
    for path in ("a.b[].c", "choices[0].message", "[].a", "a"):
        assert shown(steps_of(path)) == path
    assert steps_of("a[].b") == ("a", EACH, "b")


def test_what_was_read_is_taken_out_and_what_stands_beside_it_stays() -> None:
    row = {"retrieval": {"chunks": [1], "query": "q"}, "out": {"answer": "a"}, "x.y": 1}
    assert without(row, ["retrieval.chunks[]"]) == {"retrieval": {"query": "q"}, "out": {"answer": "a"}, "x.y": 1}
    assert without(row, ["out.answer"]) == {"retrieval": {"chunks": [1], "query": "q"}, "x.y": 1}
    assert without(row, ["x.y", "out.*"]) == {"retrieval": {"chunks": [1], "query": "q"}}
    assert without(row, ["none.deeper", "x.y.z", "retrieval.chunks[].text", "out[0]"]) == row
    assert without(row, ["x.y", "out", "retrieval"]) == {}


@pytest.mark.parametrize(
    ("paths", "left"),
    [
        (["c[0].m"], [{"why": "stop"}, {"m": 2}]),
        (["c[1].m"], [{"m": 1, "why": "stop"}]),
        (["c[0].m", "c[0].why"], [{"m": 2}]),
        (["c[].m"], [{"why": "stop"}]),
        (["c[7].m"], [{"m": 1, "why": "stop"}, {"m": 2}]),
    ],
)
@pytest.mark.parametrize("written", [False, True])
def test_of_the_items_of_a_list_what_was_not_read_stays(paths: list[str], left: list[Any], written: bool) -> None:
    told = [{"m": 1, "why": "stop"}, {"m": 2}]
    given = {"c": json.dumps(told) if written else told}
    assert without(given, paths) == (given if left == told else {"c": left})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('["a", "b"]', ["a", "b"]),
        ("['a', \"it's\"]", ["a", "it's"]),
        ("  ['a',\n 'b']\n", ["a", "b"]),
        ("[]", []),
        ("{'a': None, 'b': True}", {"a": None, "b": True}),
        ('[{"a": NaN}]', [{"a": None}]),
        ("['a\\d']", ["a\\d"]),
    ],
)
def test_a_text_that_is_a_list_or_a_mapping_is_read(text: str, value: Any) -> None:
    assert literal(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "a", "", "[1] says so, as [2] does", "[see below]", "['a' 'b']", "['a'\n 'b']", "('a', 'b')", "[open(1)]",
        "[a, b]", "{1, 2}", "[" * 5000 + "]" * 5000, "['a', 'b'", "[1]]", "['a' # b\n 'c']",
    ],
)  # fmt: skip
def test_any_other_text_is_none(text: str) -> None:
    assert literal(text) is None

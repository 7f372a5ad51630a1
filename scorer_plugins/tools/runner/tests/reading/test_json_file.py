"""JSON files: where their rows are, what stands around them, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorer_core import UsageError
from scorer_runner.reading.json_file import json_rows, rows_path

NESTED = {
    "version": "v2",
    "data": [
        {"title": "T", "paragraphs": [
            {"context": "C1", "qas": [{"id": "1", "question": "Q1"}, {"id": "2", "question": "Q2", "title": "own"}]},
            {"context": "C2", "qas": []},
        ]},
        {"title": "U", "paragraphs": [{"context": "C3", "qas": [{"id": "3", "question": "Q3"}]}]},
    ],
}  # fmt: skip


def rows(value: Any, at: str | None = None) -> list[Any]:
    text = value if isinstance(value, str) else json.dumps(value, indent=1)
    return list(json_rows("a.json", text, rows_path(at) if at else ()))


def given(value: Any, at: str | None = None) -> list[Any]:
    return [row for _, row, _ in rows(value, at)]


def test_a_list_of_objects_is_the_rows_each_on_its_line() -> None:
    assert rows('[\n {"a": 1},\n\n {"a":\n 2}, {"a": 3}\n]\n') == [
        (2, {"a": 1}, None), (4, {"a": 2}, None), (5, {"a": 3}, None),
    ]  # fmt: skip


def test_the_one_list_of_objects_is_found_under_its_key() -> None:
    assert given({"version": [1], "meta": {"rows": [{"a": 1}]}, "none": []}) == [{"a": 1}]


def test_of_several_lists_the_candidates_are_told() -> None:
    two = {"train": [{"a": 1}], "test": [{"a": 2}]}
    with pytest.raises(UsageError) as e:
        rows(two)
    assert str(e.value) == (
        "a.json holds several lists of objects (train, test); tell which one holds the rows: --rows-at train"
    )
    assert given(two, "test") == [{"a": 2}]
    with pytest.raises(UsageError, match=r"a.json: no list at --rows-at dev\[\] \(lists: train, test\)"):
        rows(two, "dev")


@pytest.mark.parametrize(
    ("text", "held"), [('{"a": 1}', "a single object"), ('"a"', "a text"), ("7", "a single value")]
)
def test_a_file_without_a_list_says_what_it_holds(text: str, held: str) -> None:
    with pytest.raises(UsageError, match=rf"a.json holds no list of objects \({held}\)"):
        rows(text)


def test_rows_that_lie_deeper_have_the_fields_of_the_objects_around_them() -> None:
    assert given(NESTED, "data[].paragraphs[].qas[]") == [
        {"title": "T", "context": "C1", "id": "1", "question": "Q1"},
        {"title": "own", "context": "C1", "id": "2", "question": "Q2"},
        {"title": "U", "context": "C3", "id": "3", "question": "Q3"},
    ]
    assert given({"a": {"b": [{"c": {"d": [{"e": 1}]}, "f": 2}]}}, "a.b[].c.d") == [{"f": 2, "e": 1}]
    assert given([{"inner": [{"x": 1}], "y": 2}], "[].inner[]") == [{"y": 2, "x": 1}]


def test_an_item_that_is_no_object_is_a_problem_on_its_line() -> None:
    assert rows('[{"a": 1},\n 7]')[1] == (2, 7, "expected a JSON object, got 7")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[\n {"a": 1},\n {"a": 2},\n]', "line 3, column 10: not JSON (a comma stands before ']'):  {\"a\": 2},"),
        ('{"rows": [{"a": 1}],\n}', "line 1, column 20: not JSON (a comma stands before '}')"),
        ('[{"a": 1}\n{"a": 2}]', "line 2, column 1: not JSON (expected ',' or ']'): {\"a\": 2}]"),
        ('[{"a": 1,}]', "line 1, column 10: not JSON"),
        ('{"a": 1}\n{"a": 2}', "(Extra data): {\"a\": 2}; is it an object a line? then name it .jsonl"),
        ("{a: 1}", "line 1, column 2: not JSON (expected a name in double quotes and ':'): {a: 1}"),
        ("[", "line 1, column 2: not JSON (Expecting value)"),
        ("[" * 100_000, "not JSON"),
        ("[9" + "9" * 5000 + "]", "not JSON"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_with_line_column_and_the_line_itself(text: str, told: str) -> None:
    with pytest.raises(UsageError) as e:
        rows(text)
    assert told in str(e.value)


def test_one_item_is_held_at_a_time(folder: Path) -> None:
    import tracemalloc

    text = json.dumps({"rows": [{"id": n, "more": list(range(50))} for n in range(20_000)]})
    tracemalloc.start()
    assert sum(1 for _ in json_rows("a.json", text, ())) == 20_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(text) / 20


@pytest.mark.parametrize("path", ["data[0]", "data.*"])
def test_the_path_to_rows_has_names_and_lists_alone(path: str) -> None:
    with pytest.raises(UsageError, match=r"expected names and \[\] alone"):
        rows_path(path)

"""Data looked at before the first call: duplicated ids, streams, whose columns they are."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scorer_core.contract.errors import Failed
from scorer_faithfulness import spec as faithfulness
from scorer_runner.reading.columns import columns
from scorer_runner.reading.forms import find_data
from scorer_runner.reading.looking import Looked, look_at

Rows = Callable[..., str]


def looked(*names: str, maps: tuple[str, ...] = (), **how: Any) -> Looked:
    return look_at(find_data(names), columns(maps, ()), **{"limit": None} | how)


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def fill(*given: Any) -> None:
        data = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in given).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))

    return fill


def ids(found: Looked) -> list[str | None]:
    return [row.message if isinstance(row, Failed) else row.get("id") for row in found.rows]


def test_rows_are_read_as_they_are_asked_for(rows: Rows) -> None:
    source = rows(*[{"output": str(n)} for n in range(5)])
    found = looked(source, limit=2)
    assert (found.total, [row["output"] for row in found.rows]) == (2, ["0", "1"])


def test_of_standard_input_a_hundred_records_are_looked_at_and_none_is_lost(stream: Callable[..., None]) -> None:
    stream(*[{"output": str(n)} for n in range(130)])
    found = looked("-")
    assert (found.found.rows, found.total) == (100, None)
    assert [row["output"] for row in found.rows] == [str(n) for n in range(130)]


def test_later_rows_of_a_stream_that_can_not_be_used_say_why(stream: Callable[..., None]) -> None:
    good = [{"id": n, "output": "a"} for n in range(100)]
    stream(*good, "{broken", {"id": 7, "output": "a"}, {"id": 200, "context": [None]}, {"id": 201})
    told = ids(looked("-"))[100:]
    assert told[0] is not None
    assert told[0].startswith("line 101 (row 101): not JSON at column 2")
    assert told[1:] == [
        "line 102 (row 102): the id '7' was there before; "
        "tell ids apart with --id-duplicates number, or name another column: --map id=COLUMN",
        "line 103 (row 103): context, item 1: expected a text, got null",
        "201",
    ]


def test_all_duplicated_ids_are_told_with_their_lines(rows: Rows) -> None:
    source = rows(*[{"id": n, "output": "a"} for n in (1, 2, 1, 3, 2, 1, 1)])
    (told,) = looked(source).problems
    assert told.splitlines() == [
        "ids of rows.jsonl that come more than once:",
        "  '1': line 1 (row 1), line 3 (row 3), line 6 (row 6) ...",
        "  '2': line 2 (row 2), line 5 (row 5)",
        "  tell ids apart with --id-duplicates number, or name another column: --map id=COLUMN",
    ]


def test_ids_of_several_files_are_told_with_their_files_and_all_are_counted(rows: Rows) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        rows(*[{"id": n, "output": "a"} for n in range(13)], name=name)
    (told,) = looked("*.jsonl").problems
    assert told.splitlines()[:2] == [
        "ids of a.jsonl and 1 more that come more than once:",
        "  '0': a.jsonl, line 1 (row 1), b.jsonl, line 1 (row 14)",
    ]
    assert "  and 3 more" in told


def test_duplicated_ids_are_numbered_where_asked_and_a_made_id_is_never_one_that_is_there(rows: Rows) -> None:
    source = rows(*[{"id": id, "output": "a"} for id in ("7", "7-2", "7", "7", "8", "7-3")], {"output": "none"})
    found = looked(source, duplicates="number")
    assert found.problems == []
    assert ids(found) == ["7", "7-2", "7-3", "7-4", "8", "7-3-2", None]


def test_ids_of_a_stream_are_numbered_too(stream: Callable[..., None]) -> None:
    stream(*[{"id": 1, "output": "a"}] * 130)
    found = looked("-", duplicates="number")
    assert found.problems == []
    assert ids(found) == ["1", *(f"1-{n}" for n in range(2, 131))]


def test_R076_rows_that_are_unfit_are_told_beside_the_place_from_which_on_a_file_can_not_be_read(folder: Path) -> None:
    (folder / "d.csv").write_text('id,output,context\n1,a\n1,b,c\n1,c,d\n2,"x,y\n3,d,e\n')
    found = looked("d.csv")
    rows, broken, ids = found.problems
    assert "line 2 (row 1): 2 cells for 3 columns" in rows
    assert broken == (
        "d.csv, in the row that begins on line 5: a quotation mark is not closed; rows from there on were not read"
    )
    assert "'1': line 3 (row 2), line 4 (row 3)" in ids
    assert not found.whole
    assert found.wrong_for([]) == [*found.problems]


def test_what_the_rest_of_a_damaged_file_may_hold_is_not_said_to_be_missing(scorer: Any, folder: Path) -> None:
    (folder / "d.csv").write_text('output,context\na,\n"x,y\n')
    told = scorer("run", "d.csv", "--scorer", "faithfulness")
    assert told.code == 2
    assert "no row of d.csv has what is needed" not in told.err
    assert told.err.count("\n") == 1


def test_duplicates_at_the_begin_of_a_stream_are_told_before_the_first_call(stream: Callable[..., None]) -> None:
    stream({"id": 1}, {"id": 1})
    assert "'1': line 1 (row 1), line 2 (row 2)" in looked("-").problems[0]


def test_an_id_may_stand_at_a_path(rows: Rows) -> None:
    source = rows(*[{"trace": {"id": n}, "output": "a"} for n in (5, 5)])
    assert "'5': line 1" in looked(source, maps=("id=trace.id",)).problems[0]


def test_a_dialect_is_told_of_and_its_needs_are_met(rows: Rows) -> None:
    found = looked(rows({"user_input": "q", "response": "o", "retrieved_contexts": ["c"]}))
    assert str(found.known).startswith("columns are read as those of ragas: input from 'user_input'")
    assert found.wrong_for([("faithfulness", faithfulness, faithfulness.options())]) == []
    assert looked(rows({"output": "o"})).known is None


def test_all_that_is_wrong_is_told_together(rows: Rows, folder: Path) -> None:
    source = rows({"id": 1, "x": "o"}, {"id": 1, "x": "o"}, "{")
    told = looked(source).wrong_for([("faithfulness", faithfulness, faithfulness.options())])
    assert [line.splitlines()[0] for line in told] == [
        "rows of rows.jsonl that can't be used:",
        "ids of rows.jsonl that come more than once:",
        "no row of rows.jsonl has what is needed:",
    ]


def test_ids_take_little_memory_each(rows: Rows) -> None:
    import tracemalloc

    source = rows(*[{"id": f"a rather long id of a row, number {n}", "output": "a"} for n in range(50_000)])
    tracemalloc.start()
    look_at(find_data([source]), columns((), ()), limit=None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000 * 16 + 8_000_000  # the digests, and what their 65,536 places cost however many there are

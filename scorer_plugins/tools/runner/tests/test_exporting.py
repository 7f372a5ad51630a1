from __future__ import annotations

import csv
import io
import json
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from scorer_runner.results.exporting import export
from scorer_runner.results.flat import LONG, long, wide
from scorer_runner.results.forms import FORMS, cell, in_markdown

GOOD = {"id": "r1", "input": "q?", "output": "an answer", "context": ["so it is"], "lang": "en"}
WRONG = {**GOOD, "id": "r2", "output": "a WRONG answer"}
BROKEN = {**GOOD, "id": "r3", "output": "a BROKEN answer"}


@pytest.fixture
def made(scorer: Any, rows: Any, judged: Any) -> None:
    """A results file of three rows and two scorers, one row failed."""
    assert scorer("run", rows(GOOD, WRONG, BROKEN), *judged, "--quiet").code == 3


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_R137_a_line_a_row_and_scorer_with_stable_columns(scorer: Any, made: Any) -> None:
    told = scorer("export", "results.jsonl", "--format", "csv")
    assert (told.code, told.err) == (0, "")
    lines = table(told.out)
    assert [*lines[0]] == [*LONG]
    assert sorted((line["id"], line["scorer"], line["status"], line["score"]) for line in lines) == [
        ("r1", "faithfulness", "scored", "1.0"),
        ("r1", "hallucination", "scored", "1.0"),
        ("r2", "faithfulness", "scored", "0.0"),
        ("r2", "hallucination", "scored", "0.0"),
        ("r3", "faithfulness", "failed", ""),
        ("r3", "hallucination", "failed", ""),
    ]
    first = next(line for line in lines if line["id"] == "r1" and line["scorer"] == "faithfulness")
    assert (first["input"], first["output"], first["context"]) == ("q?", "an answer", '["so it is"]')
    assert (first["reason"], first["calls"], first["metadata"]) == ("Because.", "3", '{"lang": "en"}')
    assert "this row is broken" in next(line["error"] for line in lines if line["id"] == "r3")


def test_R137_a_line_a_row_with_columns_for_each_scorer(scorer: Any, made: Any) -> None:
    told = scorer("export", "results.jsonl", "--wide", "--format", "json")
    lines = json.loads(told.out)
    assert [line["id"] for line in lines] == ["r1", "r2", "r3"]
    assert [line["faithfulness"] for line in lines] == [1.0, 0.0, None]
    assert [line["hallucination.status"] for line in lines] == ["scored", "scored", "failed"]
    long_calls = [line["calls"] for line in json.loads(scorer("export", "results.jsonl", "--format", "json").out)]
    assert sum(line["calls"] for line in lines) == sum(long_calls)


def test_R137_a_row_whose_results_stand_apart_is_one_line_all_the_same(made: Any) -> None:
    place = Path("results.jsonl")
    place.write_text("\n".join(sorted(place.read_text().splitlines(), key=lambda t: json.loads(t)["scorer_id"])))
    assert [line["id"] for line in wide(place).lines] == ["r1", "r2", "r3"]


@pytest.mark.parametrize("form", ["jsonl", "csv", "markdown", "json"])
def test_the_form_is_told_by_the_ending_of_the_file(scorer: Any, made: Any, form: str) -> None:
    name = f"out.{'md' if form == 'markdown' else form}"
    assert scorer("export", "results.jsonl", "--out", name).out == ""
    assert Path(name).read_text("utf-8") == scorer("export", "results.jsonl", "--format", form).out


def test_json_lines_are_lines_and_without_rows_json_is_an_empty_list(scorer: Any, made: Any) -> None:
    told = scorer("export", "results.jsonl", "--format", "jsonl")
    assert [*map(json.loads, told.out.splitlines())] == json.loads(
        scorer("export", "results.jsonl", "--format", "json").out
    )
    Path("empty.jsonl").write_text("")
    assert json.loads(scorer("export", "empty.jsonl", "--format", "json").out) == []


def test_parquet_keeps_types(scorer: Any, made: Any) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow, the extra `parquet`, is not installed")
    assert scorer("export", "results.jsonl", "--out", "out.parquet").code == 0
    found = parquet.read_table("out.parquet")
    assert found.column_names == [*LONG]
    assert str(found.schema.field("score").type) == "double"
    assert str(found.schema.field("calls").type) == "int64"
    assert found.num_rows == 6


def test_a_table_to_look_at_holds_every_result(scorer: Any, made: Any) -> None:
    told = scorer("export", "results.jsonl")
    assert told.code == 0
    assert told.out.count("faithfulness") == 3
    assert "\x1b" not in told.out


# What a cell may not do


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x")', "+1+1", "-1-1", "@SUM(A1)", "\t=1", " =1"])
def test_R136_a_text_that_would_be_a_formula_is_neutralised_in_csv(text: str) -> None:
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize("value", [-1.5, -3, "-1.5", "+3", "a = b", "", "-1e-05"])
def test_R136_numbers_stay_numbers_and_plain_texts_as_they_are(value: Any) -> None:
    assert cell(value) == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a|b", r"a\|b"),
        ("a\nb", "a<br>b"),
        ("<img src=x onerror=alert(1)>", r"&lt;img src=x onerror=alert(1)&gt;"),
        ("[click](javascript:x)", r"\[click\](javascript:x)"),
        ("`code` *b* _i_", r"\`code\` \*b\* \_i\_"),
        ("\x1b[31mred\x1b[0m\x07", "red"),
        (r"a\|b", r"a\\\|b"),
    ],
)
def test_R136_markup_in_a_cell_of_markdown_is_text(text: str, told: str) -> None:
    assert in_markdown(text) == told


def test_R136_every_form_keeps_a_hostile_row_in_its_line(scorer: Any, rows: Any, judged: Any) -> None:
    hostile = {
        **GOOD,
        "id": "=1+1",
        "output": 'a | b\r\n"c", `d` <img src=x onerror=alert(1)> [e](javascript:x) \x1b[2J',
    }
    assert scorer("run", rows(hostile), *judged[:2], *judged[4:], "--quiet").code == 0
    told = {form: scorer("export", "results.jsonl", "--format", form).out for form in FORMS if form != "parquet"}
    assert len(table(told["csv"])) == 1
    assert table(told["csv"])[0]["id"] == "'=1+1"
    assert len(told["markdown"].splitlines()) == 3
    assert "<img" not in told["markdown"]
    assert all("\x1b" not in text for text in told.values())
    assert json.loads(told["json"])[0]["output"] == hostile["output"]


# Files


def test_a_file_that_is_there_is_left_alone(scorer: Any, made: Any) -> None:
    Path("out.csv").write_text("mine")
    told = scorer("export", "results.jsonl", "--out", "out.csv")
    assert (told.code, Path("out.csv").read_text()) == (2, "mine")
    assert "out.csv is there already" in told.err


def test_a_line_that_is_no_result_is_told_with_its_number_and_no_file_is_left(scorer: Any, made: Any) -> None:
    with open("results.jsonl", "a") as file:
        file.write('{"no": "result"}\n')
    told = scorer("export", "results.jsonl", "--out", "out.csv")
    assert told.code == 2
    assert "results.jsonl, line 7: not a result" in told.err
    assert not Path("out.csv").exists()


def test_a_last_line_that_was_cut_off_is_left_out(scorer: Any, made: Any) -> None:
    with open("results.jsonl", "a") as file:
        file.write('{"scorer_label": "faith')
    assert len(table(scorer("export", "results.jsonl", "--format", "csv").out)) == 6


@pytest.mark.parametrize("name", ["nosuch.jsonl", "."])
def test_results_that_can_not_be_read_are_told(scorer: Any, name: str) -> None:
    told = scorer("export", name)
    assert told.code == 2
    assert "can't be read" in told.err


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("shape", [long, wide])
def test_an_export_takes_flat_memory_and_time_in_proportion(made: Any, form: str, shape: Any) -> None:
    line, took, peaks = Path("results.jsonl").read_text().splitlines()[0], [], []
    for n in (500, 4000):
        with open(f"{n}.jsonl", "w") as file:
            file.writelines(f"{json.dumps({**json.loads(line), 'index': i})}\n" for i in range(n))
        started = time.process_time()
        export(shape(Path(f"{n}.jsonl")), form, Path(f"{n}.{form}.timed"))
        took.append(time.process_time() - started)
        tracemalloc.start()
        export(shape(Path(f"{n}.jsonl")), form, Path(f"{n}.{form}.out"))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 3500 * 100
    assert took[1] < 8 * 3 * took[0]


# scorer run --format


def test_R105_a_run_gives_its_results_in_a_form_alone_on_standard_output(scorer: Any, rows: Any, judged: Any) -> None:
    told = scorer("run", rows(GOOD, WRONG), *judged, "--format", "json")
    assert told.code == 0
    assert len(json.loads(told.out)) == 4
    assert "2 rows · 2 scorers" in told.err
    assert len(table(scorer("run", rows(GOOD), *judged, "--format", "csv", "--quiet").out)) == 2


def test_a_form_other_than_lines_needs_a_file(scorer: Any, rows: Any, judged: Any) -> None:
    told = scorer("run", rows(GOOD), *judged, "--format", "csv", "--out", "-")
    assert (told.code, told.out) == (2, "")
    assert "--format csv needs a file to be made from" in told.err

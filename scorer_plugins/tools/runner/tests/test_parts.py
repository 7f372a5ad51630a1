"""`--out FOLDER/`: results in parts, for runs of which one file would get too large."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorer_core import UsageError
from scorer_runner.results import parts as parts_of_runs
from scorer_runner.results.journal import place
from scorer_runner.results.lines import Lines
from scorer_runner.results.parts import in_parts, parts_of
from scorer_runner.results.writing import Unwritable

GOOD = {"input": "q?", "output": "an answer", "context": ["so it is"]}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of three lines."""
    monkeypatch.setattr(parts_of_runs, "MOST", 3)


@pytest.fixture
def source(rows: Any) -> str:
    """Five rows, of which one fails at first."""
    return str(rows(*({**GOOD, "id": f"r{n}", "output": f"answer {n}"} for n in range(5))))


def sizes() -> dict[str, int]:
    return {part.name: len(part.read_text().splitlines()) for part in parts_of(Path("out"))}


def keys() -> list[tuple[str, str]]:
    lines = [json.loads(raw) for _, _, raw in Lines(parts_of(Path("out")))]
    return sorted((line["row_id"], line["scorer_label"]) for line in lines)


def whole() -> list[tuple[str, str]]:
    return sorted((f"r{n}", label) for n in range(5) for label in ("faithfulness", "hallucination"))


def test_results_go_to_parts_of_so_many_lines_and_are_read_as_one(scorer: Any, source: str, judged: Any) -> None:
    told = scorer("run", source, *judged, "--out", "out/", "--format", "jsonl")
    assert told.code == 0, told.err
    assert sizes() == {"part-00001.jsonl": 3, "part-00002.jsonl": 3, "part-00003.jsonl": 3, "part-00004.jsonl": 1}
    assert keys() == whole()
    assert len(told.out.splitlines()) == 10
    assert "results  out/  10 lines in 4 parts; what the run was: out.run.json" in told.err
    wide = scorer("export", "out", "--wide", "--format", "jsonl").out
    assert [json.loads(line)["id"] for line in wide.splitlines()] == [f"r{n}" for n in range(5)]


def test_a_run_in_parts_goes_on_in_further_ones_and_a_line_cut_off_is_redone(
    scorer: Any, source: str, judged: Any
) -> None:
    told = scorer("run", source, *judged, "--out", "out/", "--max-calls", "9", "--concurrency", "1")
    assert (told.code, "--out out/ --resume" in told.err) == (3, True)
    assert "are in 'out/'" in told.err
    last = parts_of(Path("out"))[-1]
    last.write_bytes(last.read_bytes()[:-9])
    done = scorer("run", source, *judged, "--out", "out/", "--resume")
    assert done.code == 0, done.err
    assert keys() == whole()
    assert "5 judged" in done.out
    assert max(sizes().values()) == 3


def test_what_failed_is_taken_out_of_its_part_and_done_again(
    scorer: Any, rows: Any, judged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = rows(*({**GOOD, "id": f"r{n}", "output": "BROKEN" if n in (0, 3) else "fine"} for n in range(5)))
    assert scorer("run", source, *judged, "--out", "out/").code == 3
    before = sizes()
    assert scorer("run", source, *judged, "--out", "out/", "--retry-failed").code == 3
    assert keys() == whole()
    assert sum(sizes()[name] for name in before) == 6


def test_parts_are_scored_anew_and_other_results_beside_each_other_are_not(
    scorer: Any, source: str, judged: Any
) -> None:
    assert scorer("run", source, *judged, "--out", "out/", "--quiet").code == 0
    again = ("--scorer", "faithfulness", *judged[-2:], "--from-step", "analyze", "--out", "again.jsonl")
    told = scorer("rescore", "out/", *again)
    assert told.code == 0, told.err
    lines = [json.loads(line) for line in Path("again.jsonl").read_text().splitlines()]
    assert sorted(line["row_id"] for line in lines) == [f"r{n}" for n in range(5)]
    assert not any("preprocess" in line["judge"] for line in lines)
    assert scorer("rescore", "out/part-00001.jsonl", "out/part-00002.jsonl", *again[:-1], "more.jsonl").code == 2


def test_a_run_that_stopped_before_its_first_result_is_shown_without_lines(scorer: Any, source: str) -> None:
    asked = ("--scorer", "faithfulness", "--model", "python:judge_of_tests:judge", "--out", "out/")
    told = scorer("run", source, *asked, "--max-calls", "1", "--concurrency", "1", "--format", "json")
    assert (told.code, json.loads(told.out)) == (3, [])
    assert "max_calls of 1 is reached" in told.err
    assert json.loads(scorer("export", "out/", "--format", "json").out) == []


def test_a_folder_that_holds_results_is_left_alone(scorer: Any, source: str, judged: Any) -> None:
    assert scorer("run", source, *judged, "--out", "out/", "--quiet").code == 0
    before = {part: part.read_bytes() for part in parts_of(Path("out"))}
    told = scorer("run", source, *judged, "--out", "out/")
    assert (told.code, "part-00001.jsonl' is there already" in told.err) == (2, True)
    assert {part: part.read_bytes() for part in parts_of(Path("out"))} == before


def test_a_file_is_no_folder_and_what_can_not_be_written_stops_the_run(folder: Path) -> None:
    Path("r.jsonl").touch()
    with pytest.raises(UsageError, match="is a file; name a folder for the parts"):
        place("r.jsonl/")
    for nameless in ("./", "/", "../"):
        with pytest.raises(UsageError, match="name a folder for the parts"):
            place(nameless)
    assert place("new/") == Path("new")
    with pytest.raises(Unwritable, match="can't be written"), in_parts(Path("nowhere"), "x") as write:
        write(None)  # type: ignore[arg-type]

"""`--out FOLDER/ --format parquet`: parts that become Parquet once they are full."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from scorer_core import RunResult
from scorer_runner.results import parquet as parquet_of_results
from scorer_runner.results import parts as parts_of_runs
from scorer_runner.results.lines import Lines, lines_in, put_lines
from scorer_runner.results.parquet import RESULTS
from scorer_runner.results.parts import in_parts, parts_of

GOOD = {"input": "q?", "output": "an answer", "context": ["so it is"]}
PARQUET = ("--out", "out/", "--format", "parquet")
OUT = Path("out")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of four lines, in groups of three."""
    monkeypatch.setattr(parts_of_runs, "MOST", 4)
    monkeypatch.setattr(parquet_of_results, "AT_ONCE", 3)


@pytest.fixture
def source(rows: Any) -> str:
    """Five rows."""
    return str(rows(*({**GOOD, "id": f"r{n}", "output": f"answer {n}"} for n in range(5))))


def names() -> list[str]:
    return sorted(part.name for part in OUT.iterdir())


def keys() -> list[tuple[str, str]]:
    lines = [json.loads(raw) for _, _, raw in Lines(parts_of(OUT))]
    return sorted((line["row_id"], line["scorer_label"]) for line in lines)


def whole() -> list[tuple[str, str]]:
    return sorted((f"r{n}", label) for n in range(5) for label in ("faithfulness", "hallucination"))


def result(n: int) -> RunResult:
    who = ("scorer_id", "scorer_label", "scorer_version", "core_version", "higher_is", "run_id")
    return RunResult(**dict.fromkeys(who, "s"), status="scored", score=0.1, row_id=f"r{n}", index=n)


def as_lines(part: Path) -> Path:
    """A part as it was before it became Parquet, beside it."""
    before = part.with_name(f"_{part.stem}.jsonl")
    before.write_bytes(b"".join(lines_in(part)))
    return before


# What comes out


def test_parts_become_parquet_with_each_line_whole_and_the_summary_is_shown(
    scorer: Any, source: str, judged: Any
) -> None:
    told = scorer("run", source, *judged, *PARQUET)
    assert told.code == 0, told.err
    assert "results  out/  10 lines in 3 parts; what the run was: out.run.json" in told.out
    assert names() == [f"part-0000{n}.parquet" for n in (1, 2, 3)]
    tables = [parquet.read_table(OUT / name) for name in names()]
    assert [table.num_rows for table in tables] == [4, 4, 2]
    assert {*map(len, {table.schema for table in tables})} == {len(RESULTS)}
    assert tables[0].schema == RESULTS
    for row in pa.concat_tables(tables).to_pylist():
        line = json.loads(row.pop("result"))
        assert RunResult.from_dict(line).score == row["score"]
        assert row == {name: line.get(name) for name in row}
        assert len(line["run"]) == 64
    assert keys() == whole()


def test_what_reads_results_reads_such_a_folder_a_part_and_one_of_both_kinds(
    scorer: Any, source: str, judged: Any
) -> None:
    scorer("run", source, *judged, *PARQUET, "--quiet")
    as_lines(OUT / "part-00002.parquet")
    (OUT / "part-00002.parquet").unlink()
    for flags in (("--wide",), ()):
        told = scorer("export", "out", *flags, "--format", "jsonl")
        told_of = [json.loads(line)["id"] for line in told.out.splitlines()]
        assert sorted(told_of) == sorted(f"r{n}" for n in range(5) for _ in range(2 - len(flags)))
    assert len(scorer("export", "out/part-00003.parquet", "--format", "jsonl").out.splitlines()) == 2
    again = ("--scorer", "faithfulness", *judged[-2:], "--from-step", "analyze")
    told = scorer("rescore", "out/", *again, "--out", "again/", "--format", "parquet")
    assert told.code == 0, told.err
    lines = [json.loads(raw) for _, _, raw in Lines(parts_of(Path("again")))]
    assert sorted(line["row_id"] for line in lines) == [f"r{n}" for n in range(5)]
    assert not any("preprocess" in line["judge"] for line in lines)
    assert scorer("rescore", "out/part-00001.parquet", *again, "--out", "few.jsonl").code == 0


def test_a_full_part_is_parquet_while_the_run_goes_on_and_the_one_in_the_making_is_passed_over(folder: Path) -> None:
    OUT.mkdir()
    with in_parts(OUT, "digest", "parquet") as write:
        for n in range(5):
            write(result(n))
        until(lambda: names() == ["_part-00002.jsonl", "part-00001.parquet"])
        assert parquet.read_table(OUT)["row_id"].to_pylist() == ["r0", "r1", "r2", "r3"]
    assert parquet.read_table(OUT)["row_id"].to_pylist() == [f"r{n}" for n in range(5)]


def until(there: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not there():
        assert time.monotonic() < end, names()
        time.sleep(0.01)


def test_an_interrupted_run_leaves_parquet(folder: Path) -> None:
    OUT.mkdir()
    with suppress(KeyboardInterrupt), in_parts(OUT, "digest", "parquet") as write:
        write(result(0))
        raise KeyboardInterrupt
    assert names() == ["part-00001.parquet"]


def test_each_line_is_found_by_its_place_in_files_of_both_kinds(folder: Path) -> None:
    raws = [json.dumps({"n": n, "é": "\n"}).encode() + b"\n" for n in range(23)]
    files = [Path("a.jsonl"), Path("b.parquet"), Path("c.jsonl"), Path("d.parquet"), Path("e.parquet")]
    cuts = [0, 5, 10, 14, 17, 23]
    for file, start, end in zip(files, cuts[:-1], cuts[1:], strict=True):
        put_lines(raws[start:end], file)
    told = [*Lines(files)]
    assert [raw for _, _, raw in told] == raws
    assert [where for _, where, _ in told][4:7] == ["a.jsonl, line 5", "b.parquet, row 1", "b.parquet, row 2"]
    with Lines(files) as lines:
        assert [lines.at(place) for place, _, _ in reversed(told)] == raws[::-1]


def test_a_folder_that_others_wrote_is_read_and_results_without_a_place_are_not_taken_for_those_of_one_row(
    scorer: Any, source: str, judged: Any
) -> None:
    scorer("run", source, *judged, *PARQUET, "--quiet")
    raws = [raw for part in parts_of(OUT) for raw in lines_in(part)]
    Path("ray").mkdir()
    put_lines(raws[:6], Path("ray/3f2a_000000-0.parquet"))
    put_lines(raws[6:], Path("ray/3f2a_000001-0.jsonl"))
    Path("ray/_SUCCESS").touch()
    told = scorer("export", "ray", "--wide", "--format", "jsonl")
    assert [json.loads(line)["id"] for line in told.out.splitlines()] == [f"r{n}" for n in range(5)]
    again = ("rescore", "ray", *judged, "--from-step", "analyze", "--out")
    assert scorer(*again, "again.jsonl").code == 0
    lost = [json.dumps({**json.loads(raw), "index": None}).encode() + b"\n" for raw in raws]
    put_lines(lost, Path("ray/3f2a_000001-0.jsonl"))
    for command in (("export", "ray", "--wide"), (*again, "more.jsonl")):
        told = scorer(*command)
        assert (told.code, "results tell no place (index) of their rows" in told.err) == (2, True)
    assert len(scorer("export", "ray", "--format", "jsonl").out.splitlines()) == 16


# Going on


@pytest.mark.parametrize("left", ["lines", "both", "half", "nothing"])
def test_a_run_killed_while_a_part_becomes_parquet_has_each_line_once(
    left: str, scorer: Any, source: str, judged: Any
) -> None:
    scorer("run", source, *judged, *PARQUET, "--quiet", "--concurrency", "1")
    last = OUT / "part-00003.parquet"
    before = as_lines(last)
    if left != "both":
        last.rename(OUT / ".part-00003.parquet.new")  # what was on its way
    if left == "half":
        os.truncate(before, before.stat().st_size - 9)
    if left == "nothing":
        os.truncate(before, 0)
    assert sum(raw.endswith(b"\n") for _, _, raw in Lines(parts_of(OUT))) == {"half": 9, "nothing": 8}.get(left, 10)
    told = scorer("run", source, *judged, *PARQUET, "--resume")
    assert told.code == 0, told.err
    assert "10 lines" in told.out
    assert keys() == whole()
    assert {name.partition(".")[2] for name in names() if not name.startswith(".")} == {"parquet"}


def test_what_failed_is_taken_out_of_parquet_and_done_again(scorer: Any, rows: Any, judged: Any) -> None:
    source = rows(*({**GOOD, "id": f"r{n}", "output": "BROKEN" if n in (0, 3) else "fine"} for n in range(5)))
    assert scorer("run", source, *judged, *PARQUET, "--concurrency", "1").code == 3
    assert scorer("run", source, *judged, *PARQUET, "--retry-failed").code == 3
    assert keys() == whole()
    assert [parquet.read_metadata(part).num_rows for part in parts_of(OUT)] == [2, 2, 2, 4]


def test_a_run_goes_on_in_the_other_form(scorer: Any, source: str, judged: Any) -> None:
    how = ("run", source, *judged, "--out", "out/", "--concurrency", "1")
    assert scorer(*how, "--max-calls", "4").code == 3
    assert names() == ["part-00001.jsonl"]
    assert scorer(*how, "--format", "parquet", "--resume", "--max-calls", "4").code == 3
    assert {part.suffix for part in parts_of(OUT)} == {".parquet"}
    told = scorer(*how, "--resume")
    assert told.code == 0, told.err
    assert {part.suffix for part in parts_of(OUT)} == {".parquet", ".jsonl"}
    assert keys() == whole()


# What can go wrong


def test_where_parquet_can_not_be_written_the_lines_stay_and_the_run_goes_on_later(
    scorer: Any, source: str, judged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(lines: Any, to: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(parts_of_runs, "put_lines", full)
        told = scorer("run", source, *judged, *PARQUET)
    assert told.code == 3
    assert "'out/part-00001.parquet' can't be written: No space left on device" in told.err
    assert "--format parquet --resume" in told.err
    assert keys() == whole()
    assert scorer("run", source, *judged, *PARQUET, "--resume", "--cache-mode", "use").code == 0
    assert names() == [f"part-0000{n}.parquet" for n in (1, 2, 3)]


def test_a_file_named_parquet_is_refused(scorer: Any, source: str, judged: Any) -> None:
    told = scorer("run", source, *judged, "--out", "out.parquet", "--format", "parquet")
    assert told.code == 2
    assert "a file of results is JSON Lines" in told.err
    assert "--out out/ for parts" in told.err
    assert not Path("out.parquet").exists()


def test_without_pyarrow_nothing_is_run(scorer: Any, source: str, judged: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "scorer_runner.results.parquet")
    monkeypatch.delattr("scorer_runner.results.parquet")
    told = scorer("run", source, *judged, *PARQUET)
    assert (told.code, "pip install 'scorer-runner[parquet]'" in told.err) == (2, True)
    assert not OUT.exists()


def test_a_part_that_is_none_is_told(scorer: Any, source: str, judged: Any) -> None:
    scorer("run", source, *judged, *PARQUET, "--quiet")
    good = (OUT / "part-00002.parquet").read_bytes()
    (OUT / "part-00002.parquet").write_bytes(good[:-20])
    for command in (("export", "out"), ("run", source, *judged, *PARQUET, "--resume")):
        told = scorer(*command)
        assert (told.code, "part-00002.parquet' can't be read as Parquet" in told.err) == (2, True)
    parquet.write_table(pa.table({"score": [1]}), OUT / "part-00002.parquet")
    told = scorer("export", "out")
    assert (told.code, "part-00002.parquet' holds no results, as scorer run writes them" in told.err) == (2, True)


def test_other_files_in_the_folder_are_left_alone(scorer: Any, source: str, judged: Any) -> None:
    OUT.mkdir()
    others = {"part-0-of-spark.snappy.parquet", "part-x.jsonl", "_SUCCESS", "notes.txt", "xpart-00009.jsonl"}
    for name in others:
        (OUT / name).write_text("not ours")
    for more in ((), ("--resume",)):
        told = scorer("run", source, *judged, *PARQUET, *more)
        assert told.code == 0, told.err
    assert {*names()} == others | {f"part-0000{n}.parquet" for n in (1, 2, 3)}
    assert {(OUT / name).read_text() for name in others} == {"not ours"}

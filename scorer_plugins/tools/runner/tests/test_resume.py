from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from scorer_core import RunResult, UsageError
from scorer_core.support.digests import Digests
from scorer_runner.results.differences import differences
from scorer_runner.results.journal import description_of, journal
from scorer_runner.results.kept import Earlier, Kept, KeptFile, kept_of
from scorer_runner.results.lines import lines_in
from scorer_runner.results.parts import parts_of
from scorer_runner.results.resume import earlier_run, going_on

COUNTING = '''
"""A judge that takes a while, and writes down which row it is asked about."""

import asyncio
import os
import random
import re

from scorer_core.judging import calling
from scorer_core.testing import ScriptedJudge

CHANCE = random.Random(int(os.environ.get("SEED", "1")))
calling.FIRST_WAIT = 0.001
LOG = os.open(os.environ.get("ASKED", os.devnull), os.O_WRONLY | os.O_APPEND | os.O_CREAT)


class Status(Exception):
    status_code = 400


class Lost(Exception):
    status_code = 503


def row_of(messages):
    return re.search(r"row-(\\d+)-", " ".join(str(m.content) for m in messages))[1]


def claims(messages):
    if int(row_of(messages)) == 13 and os.environ.get("BREAKS"):
        raise Status("this row is broken")
    return {"claims": [f"a claim of row-{row_of(messages)}-"]}


def verdicts(messages):
    n = row_of(messages)
    return {"verdicts": [{"number": 1, "reason": f"row-{n}-", "chunk": 1, "verdict": ("yes", "no")[int(n) % 2]}]}


class Judge(ScriptedJudge):
    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        os.write(LOG, f"{row_of(messages)}\\n".encode())
        await asyncio.sleep(0.01)
        if os.environ.get("FLAKY") and int(row_of(messages)) % 100 == 7:
            raise Status("this row is broken for good")
        if os.environ.get("FLAKY") and CHANCE.random() < 0.1:
            raise Lost("not now")
        return await super()._agenerate(messages, stop, run_manager, **how)


judge = Judge(preprocess=claims, analyze=verdicts, generate_reason="Because.")
'''
RUN = ("--scorer", "faithfulness", "--scorer", "hallucination", "--model", "python:counting:judge", "--out", "r.jsonl")
Lines = list[dict[str, Any]]
WHO = {"scorer_id": "s", "scorer_label": "s", "scorer_version": "1", "core_version": "1", "higher_is": "better"}
RESULT = json.dumps({**WHO, "run_id": "", "row_id": "r", "index": 0, "error": None, "status": "x"}).encode() + b"\n"


@pytest.fixture
def asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[int]]:
    """The numbers of the rows that the judge was asked about since the last time."""
    (folder.parent / "modules" / "counting.py").write_text(COUNTING)
    log = folder.parent / "asked"
    log.touch()
    monkeypatch.setenv("ASKED", str(log))
    monkeypatch.delitem(sys.modules, "counting", raising=False)

    def since() -> list[int]:
        numbers = [int(line) for line in log.read_text().splitlines()]
        os.truncate(log, 0)
        return numbers

    return since


def many(n: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {"id": f"r{i}", "input": "q?", "output": f"row-{i}-", "context": [f"so row-{i}-"], **more} for i in range(n)
    ]


def key(line: dict[str, Any]) -> tuple[str, str]:
    return line["row_id"], line["scorer_label"]


def scores(lines: Lines) -> dict[tuple[str, str], float | None]:
    return {key(line): line["score"] for line in lines}


def once(lines: Lines, n: int) -> bool:
    return Counter(map(key, lines)) == Counter(
        (f"r{i}", s) for i in range(n) for s in ("faithfulness", "hallucination")
    )


def keep_lines(n: int, *, half: bytes = b"") -> list[bytes]:
    """Cut r.jsonl as a kill would have."""
    lines = Path("r.jsonl").read_bytes().splitlines(keepends=True)
    Path("r.jsonl").write_bytes(b"".join(lines[:n]) + half)
    return lines


# Going on


def test_a_run_goes_on_where_it_stopped_and_rows_that_are_done_are_not_asked_about(
    scorer: Any, rows: Any, results: Any, asked: Any
) -> None:
    source = rows(*many(6))
    scorer("run", source, *RUN, "--concurrency", "1")
    whole, description = scores(results("r.jsonl")), Path("r.jsonl.run.json").read_bytes()
    keep_lines(7)
    asked()
    told = scorer("run", source, *RUN, "--resume")
    assert told.code == 0
    assert set(asked()) == {3, 4, 5}  # of row 3 one scorer was done
    assert once(results("r.jsonl"), 6)
    assert scores(results("r.jsonl")) == whole
    assert Path("r.jsonl.run.json").read_bytes() == description
    assert len({line["run"] for line in results("r.jsonl")}) == 1
    assert "6 rows · 2 scorers" in told.out
    assert "6 judged" in told.out
    assert "r.jsonl  12 lines" in told.out


def test_a_run_that_is_over_is_summed_up_again_without_a_call(scorer: Any, rows: Any, asked: Any) -> None:
    source = rows(*many(4))
    first = scorer("run", source, *RUN)
    before = Path("r.jsonl").read_bytes()
    asked()
    again = scorer("run", source, *RUN, "--resume")
    assert asked() == []
    assert Path("r.jsonl").read_bytes() == before
    assert first.out.count("2 judged") == again.out.count("2 judged")
    shown, shown_again = (out.split("the worst rows")[1].partition("calls  ") for out in (first.out, again.out))
    assert shown_again[0] == shown[0]
    assert shown_again[2].startswith("  0 made since it went on\n")


def test_resuming_where_nothing_is_there_begins(scorer: Any, rows: Any, results: Any, asked: Any) -> None:
    assert scorer("run", rows(*many(2)), *RUN, "--resume").code == 0
    assert once(results("r.jsonl"), 2)


def test_without_a_name_the_last_of_the_usual_files_goes_on(scorer: Any, rows: Any, results: Any, asked: Any) -> None:
    source = rows(*many(2))
    for _ in range(2):
        scorer("run", source, *RUN[:-2])
    Path("results-2.jsonl").write_bytes(b"")
    scorer("run", source, *RUN[:-2], "--resume")
    assert once(results("results-2.jsonl"), 2)
    assert not Path("results-3.jsonl").exists()


def test_standard_output_is_nothing_to_go_on_with(scorer: Any, rows: Any, asked: Any) -> None:
    told = scorer("run", rows(*many(2)), *RUN[:-1], "-", "--resume")
    assert (told.code, "name it: --out FILE" in told.err) == (2, True)


def test_without_resume_a_file_is_refused_and_the_message_names_it(scorer: Any, rows: Any, asked: Any) -> None:
    source = rows(*many(2))
    scorer("run", source, *RUN)
    told = scorer("run", source, *RUN)
    assert told.code == 2
    assert "--resume" in told.err


def test_rows_without_an_id_get_the_same_one_although_those_before_are_passed_over(
    scorer: Any, rows: Any, results: Any, asked: Any
) -> None:
    same = [{"output": "row-1-", "context": ["so"]}] * 4
    source = rows(*same)
    scorer("run", source, *RUN, "--concurrency", "1")
    whole = sorted(map(key, results("r.jsonl")))
    for left in (3, 4, 1):
        keep_lines(left)
        scorer("run", source, *RUN, "--resume")
        assert sorted(map(key, results("r.jsonl"))) == whole
    assert len(set(whole)) == 8


def test_rows_with_one_id_are_numbered_alike_each_time(scorer: Any, rows: Any, results: Any, asked: Any) -> None:
    source = rows(*[{"id": "same", "output": f"row-{i}-", "context": ["so"]} for i in range(3)])
    scorer("run", source, *RUN, "--concurrency", "1", "--id-duplicates", "number")
    lines = keep_lines(0)
    Path("r.jsonl").write_bytes(b"".join(lines[2:4]))  # of the second row
    scorer("run", source, *RUN, "--resume", "--id-duplicates", "number")
    assert {line["row_id"] for line in results("r.jsonl")} == {"same", "same-2", "same-3"}
    assert sorted(line["output"] for line in results("r.jsonl")) == [f"row-{i}-" for i in (0, 0, 1, 1, 2, 2)]


def test_a_run_over_standard_input_that_numbers_ids_is_whole_and_does_not_go_on(
    process: Any, results: Any, asked: Any
) -> None:
    given = b"".join(json.dumps({"id": "7", "output": f"row-{n}-", "context": "c"}).encode() + b"\n" for n in range(3))
    numbered = ("run", "-", *RUN, "--id-duplicates", "number")
    stopped = process(*numbered, "--max-calls", "1", "--concurrency", "1", stdin=given)
    assert stopped.code == 3
    assert "max_calls of 1 is reached after 1 call;" in stopped.err
    assert "write it to a file, and name that" in stopped.err
    again = process(*numbered, "--resume", stdin=given)
    assert again.code == 2
    assert again.err.count("a run over standard input can't go on") == 1
    assert process(*numbered, "--out", "all.jsonl", stdin=given).code == 0
    assert {line["row_id"] for line in results("all.jsonl")} == {"7", "7-2", "7-3"}


def test_rows_of_standard_input_are_known_by_their_id(process: Any, results: Any, asked: Any) -> None:
    given = many(4)
    lines = [f"{json.dumps(row)}\n".encode() for row in given]
    process("run", "-", *RUN, stdin=b"".join(lines[:2]))
    asked()
    assert process("run", "-", *RUN, "--resume", stdin=b"".join(reversed(lines))).code == 0
    assert set(asked()) == {2, 3}
    assert once(results("r.jsonl"), 4)


def test_failed_rows_count_as_done_and_are_told_again(
    scorer: Any, rows: Any, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BREAKS", "1")
    source = rows(*many(15))
    scorer("run", source, *RUN)
    asked()
    told = scorer("run", source, *RUN, "--resume")
    assert (told.code, asked()) == (3, [])
    assert "r13  faithfulness  server: " in told.err


# What failed, again


def test_R090_R141_what_failed_is_done_again_and_nothing_else(
    scorer: Any, rows: Any, results: Any, asked: Any, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setenv("BREAKS", "1")
    source = rows(*many(16))
    assert scorer("run", source, *RUN, "--concurrency", "1").code == 3
    lines = keep_lines(30)
    kept = [line for line in lines[:30] if b'"failed"' not in line]
    assert len(kept) == 28
    asked()
    monkeypatch.delenv("BREAKS")
    told = scorer("run", source, *RUN, "--retry-failed")
    assert told.code == 0
    assert set(asked()) == {13, 15}
    assert once(results("r.jsonl"), 16)
    assert Path("r.jsonl").read_bytes().startswith(b"".join(kept))
    assert "16 judged" in told.out
    assert sorted(p.name for p in folder.iterdir()) == ["r.jsonl", "r.jsonl.run.json", "rows.jsonl"]


def test_one_failed_scorer_of_a_row_is_done_again_alone(scorer: Any, rows: Any, results: Any, asked: Any) -> None:
    source = rows(*many(2))
    scorer("run", source, *RUN, "--concurrency", "1")
    lines = results("r.jsonl")
    lines[2] |= {"status": "failed", "score": None, "error": {"kind": "timeout", "step": None, "message": "late"}}
    Path("r.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    asked()
    assert scorer("run", source, *RUN, "--retry-failed").code == 0
    assert set(asked()) == {1}
    assert once(results("r.jsonl"), 2)
    assert key(results("r.jsonl")[-1]) == key(lines[2])


# Lines that can't be read


@pytest.mark.parametrize("retry", ["--resume", "--retry-failed"])
@pytest.mark.parametrize("half", [b"", b"{", b'{"schema_version": 1, "scorer_id": "faith', b"\xc3", b"\0\0\0"])
def test_a_half_written_last_line_is_cut_off_and_done_again(
    scorer: Any, rows: Any, results: Any, asked: Any, half: bytes, retry: str
) -> None:
    source = rows(*many(3))
    scorer("run", source, *RUN, "--concurrency", "1")
    keep_lines(3, half=half)
    assert scorer("run", source, *RUN, retry).code == 0
    assert once(results("r.jsonl"), 3)


def test_a_last_line_that_lacks_its_line_end_alone_is_kept(scorer: Any, rows: Any, results: Any, asked: Any) -> None:
    source = rows(*many(2))
    scorer("run", source, *RUN, "--concurrency", "1")
    lines = keep_lines(0)
    Path("r.jsonl").write_bytes(b"".join(lines[:2]).rstrip())
    asked()
    scorer("run", source, *RUN, "--resume")
    assert set(asked()) == {1}
    assert Path("r.jsonl").read_bytes().startswith(b"".join(lines[:2]))
    assert once(results("r.jsonl"), 2)


@pytest.mark.parametrize("retry", ["--resume", "--retry-failed"])
@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"{\n", "not JSON"),
        (b"\n", "not JSON"),
        (b"\xff\n", "not JSON"),
        (b"[1]\n", "not a result"),
        (b'{"row_id": "r1"}\n', "not a result"),
        (RESULT.replace(b'"x"', b'"maybe"'), "not a result"),
        (RESULT.replace(b'"x"', b'"failed"'), "not a result"),
        (RESULT.replace(b'"x"', b'"not_scorable"'), "a result of another run"),
        (RESULT.replace(b"{", b'{"schema_version": 0, '), "a result of schema version 0, where this one writes 1"),
    ],
)
def test_another_line_that_can_not_be_read_is_told_by_its_number_and_nothing_is_touched(
    scorer: Any, rows: Any, asked: Any, bad: bytes, why: str, retry: str
) -> None:
    source = rows(*many(3))
    scorer("run", source, *RUN, "--concurrency", "1")
    lines = keep_lines(0)
    Path("r.jsonl").write_bytes(b"".join([*lines[:2], bad, *lines[3:4], lines[4][:50]]))
    before = Path("r.jsonl").read_bytes()
    asked()
    told = scorer("run", source, *RUN, retry)
    assert told.code == 2
    assert f"'r.jsonl', line 3: {why}" in told.err
    assert Path("r.jsonl").read_bytes() == before
    assert asked() == []


def test_a_line_that_comes_twice_is_told_and_nothing_is_touched(scorer: Any, rows: Any, asked: Any) -> None:
    source = rows(*many(3))
    scorer("run", source, *RUN, "--concurrency", "1")
    lines = keep_lines(0)
    Path("r.jsonl").write_bytes(before := b"".join([*lines[:3], lines[1]]))
    asked()
    told = scorer("run", source, *RUN, "--resume")
    assert (told.code, asked(), Path("r.jsonl").read_bytes()) == (2, [], before)
    assert "line 4: the row and scorer of a line before it; remove one of the two; it was left as it is" in told.err


def test_a_result_of_another_run_in_the_file_is_told(scorer: Any, rows: Any, asked: Any) -> None:
    source = rows(*many(2))
    scorer("run", source, *RUN)
    text = Path("r.jsonl").read_text()
    Path("r.jsonl").write_text(text.replace('"run": "', '"run": "0', 1))
    assert "line 1: a result of another run" in scorer("run", source, *RUN, "--resume").err


@pytest.mark.parametrize(
    "own",
    [
        {"preprocess_prompt": "x", "scale": 7, "templates": {}, "usage": 1},
        {"a": 1, "preprocess_prompt": "x", "options": {}, "scale": 7, "templates": {"a": 1}, "judge": {}, "usage": 1},
        {"a": 1, "usage": 1, "preprocess_prompt": "x"},
        ', "preprocess_prompt": "x", "scale": 7, "templates": {}, "usage": null}',
    ],
)
def test_a_rows_own_keys_are_never_taken_for_those_of_the_line(folder: Path, own: Any) -> None:
    made = RunResult(
        **WHO, run_id="x", row_id="r", index=3, status="scored", score=0.5, scale=2.0, input=own, metadata={"m": own},
        usage={"input_tokens": 4, "usage": {"a": 1, "usage": 2}}, duration_ms=7.5, notes=("n",),
        analyze_step_result={"deep": own}, preprocess_prompt="p", options={"scale": 2.0, "own": own},
    )  # fmt: skip
    description = {"scorers": [], "data": {"sha256": "x"}}
    with journal(Path("r.jsonl"), description) as write:
        write(made)
    earlier, counted = earlier_run(Path("r.jsonl"), description), list[RunResult]()
    assert earlier
    kept_of(earlier, ["s"], counted.append)
    left_out = {"preprocess_prompt", "options", "templates", "judge"}
    for name, value in made.to_dict().items():
        assert getattr(counted[0], name) == value or name in left_out, name


def test_a_line_with_something_behind_it_is_none(scorer: Any, rows: Any, asked: Any) -> None:
    source = rows(*many(2))
    scorer("run", source, *RUN)
    Path("r.jsonl").write_bytes(Path("r.jsonl").read_bytes().replace(b"}\n", b"} x\n", 1))
    assert "line 1: not JSON" in scorer("run", source, *RUN, "--resume").err


# Other runs


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (("--scorer", "bias"), ["scorer bias: not in the file, asked for now"]),
        (("--language", "de"), ['language: none in the file, "de" now']),
        (("--reasons", "none"), ['reasons: "judge" in the file, "none" now']),
        (("--limit", "2"), ["data.limit: none in the file, 2 now"]),
        (("--map", "input=output"), ['columns.map: [] in the file, ["input=output"] now']),
        (("--model", "python:judge_of_tests:judge"), ['model: "python:counting:judge" in the file']),
    ],
)
def test_what_differs_is_told_line_by_line_and_nothing_is_touched(
    scorer: Any, rows: Any, asked: Any, change: tuple[str, ...], lines: list[str], folder: Path
) -> None:
    source = rows(*many(3))
    scorer("run", source, *RUN)
    keep_lines(2, half=b"{")
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    asked()
    for how in ("--resume", "--retry-failed"):
        told = scorer("run", source, *RUN, *change, how)
        assert told.code == 2
        assert all(line in told.err for line in lines)
        assert "'r.jsonl' was made by a run that differs from this one" in told.err
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before
    assert asked() == []


def test_another_option_is_told_by_its_scorer(scorer: Any, rows: Any, asked: Any) -> None:
    source = rows(*many(2))
    scorer("run", source, *RUN)
    told = scorer("run", source, "--scorer", "faithfulness:scale=10", *RUN[2:], "--resume")
    assert told.err.splitlines()[1:] == ["scorer faithfulness: options.scale: 1.0 in the file, 10 now"]


def test_another_template_is_told_by_its_file(scorer: Any, rows: Any, asked: Any, folder: Path) -> None:
    source = rows(*many(2))
    (folder / "pack" / "faithfulness").mkdir(parents=True)
    file = folder / "pack" / "faithfulness" / "analyze.j2"
    file.write_text('{% extends "default/faithfulness/analyze.j2" %}')
    assert scorer("run", source, *RUN, "--prompts", "pack").code == 0
    file.write_text('{% extends "default/faithfulness/analyze.j2" %} ')
    told = scorer("run", source, *RUN, "--prompts", "pack", "--resume").err.splitlines()
    assert len(told) == 2
    assert told[1].startswith("scorer faithfulness: templates.faithfulness/analyze.j2: ")
    assert "… in the file, " in told[1]


def test_the_description_holds_the_digest_of_every_template_that_results_name(
    scorer: Any, rows: Any, results: Any, asked: Any
) -> None:
    scorer("run", rows(*many(1)), *RUN)
    told = {s["label"]: s["templates"] for s in json.loads(Path("r.jsonl.run.json").read_text())["scorers"]}
    for line in results("r.jsonl"):
        used = {file["file"]: file["sha256"] for files in line["templates"].values() for file in files}
        assert used
        assert used.items() <= told[line["scorer_label"]].items()


def test_other_data_is_told(scorer: Any, rows: Any, asked: Any) -> None:
    scorer("run", rows(*many(2)), *RUN)
    told = scorer("run", rows(*many(3)), *RUN, "--resume")
    assert told.code == 2
    assert "data.sha256: " in told.err


def test_the_same_data_elsewhere_other_prices_and_a_cache_are_no_difference(
    scorer: Any, rows: Any, asked: Any, folder: Path
) -> None:
    Path(rows(*many(2)))
    scorer("run", "rows.jsonl", *RUN)
    (folder / "rows.jsonl").rename(folder / "moved.jsonl")
    assert scorer("run", "moved.jsonl", *RUN, "--resume", "--concurrency", "2").code == 0


def test_patterns_of_redaction_that_changed_are_told(scorer: Any, rows: Any, asked: Any, folder: Path) -> None:
    source, file = rows(*many(2)), folder / "redact.toml"
    file.write_text('name = "Emma"\n')
    assert scorer("run", source, *RUN, "--redact", "redact.toml").code == 0
    file.write_text('name = "Jane"\n')
    told = scorer("run", source, *RUN, "--redact", "redact.toml", "--resume")
    assert told.code == 2
    assert told.err.splitlines()[1].startswith("redact: ")


def test_versions_ids_and_missing_scorers_are_differences() -> None:
    def told(*scorers: Any) -> Any:
        return {"scorers": scorers, "data": {}}

    one = {"label": "bias", "id": "bias", "version": "1", "options": {}, "templates": {}}
    assert differences(told(one), told(one)) == []
    assert differences(told(one), told({**one, "version": "2"})) == ['scorer bias: version: "1" in the file, "2" now']
    assert differences(told(one), told()) == ["scorer bias: in the file, not asked for now"]


def test_a_file_without_a_description_is_left_alone(scorer: Any, rows: Any, asked: Any) -> None:
    Path("r.jsonl").write_text("mine")
    told = scorer("run", rows(*many(2)), *RUN, "--resume")
    assert (told.code, Path("r.jsonl").read_text()) == (2, "mine")
    assert "'r.jsonl.run.json', which tells what the run was, is not there" in told.err
    description_of(Path("r.jsonl")).write_text("{}")
    assert "is no description of a run" in scorer("run", "rows.jsonl", *RUN, "--resume").err
    Path("r.jsonl").unlink()
    assert "is no file" in scorer("run", "rows.jsonl", *RUN, "--resume").err


@pytest.mark.parametrize("beside", [None, b"", b'{"scorers": ['])
def test_a_run_killed_before_its_description_was_there_begins(
    scorer: Any, rows: Any, results: Any, asked: Any, beside: bytes | None
) -> None:
    Path("r.jsonl").touch()
    if beside is not None:
        description_of(Path("r.jsonl")).write_bytes(beside)
    assert scorer("run", rows(*many(2)), *RUN, "--resume").code == 0
    assert once(results("r.jsonl"), 2)


# Size and speed


def test_R141_a_hundred_thousand_lines_are_read_in_seconds_and_little_memory(folder: Path) -> None:
    result = RunResult(**WHO, run_id="x", row_id="ROW", index=-7, status="scored", score=0.5, output="word " * 80)
    path = Path("r.jsonl")
    with journal(path, {"scorers": [], "data": {"sha256": "x"}}) as write:
        write(result)
    line = path.read_text()
    with path.open("w") as file:
        file.writelines(line.replace("ROW", f"r{n}").replace("-7", str(n)) for n in range(100_000))
    earlier = earlier_run(path, {"scorers": [], "data": {"sha256": "x"}})
    assert earlier
    counted: list[float | None] = []
    started = time.process_time()
    kept = kept_of(earlier, ["s"], lambda r: counted.append(r.score))
    assert time.process_time() - started < 5  # 1.1 s where it was measured, of 1.2 KB a line
    assert counted == [0.5] * 100_000
    tails = kept.done._tails.values()
    assert sum(map(len, tails)) == 14 * 100_000  # with the first two bytes told once for all that share them


def test_a_file_that_can_not_be_read_or_replaced_is_told_and_left(
    scorer: Any, rows: Any, folder: Path, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=r"'none\.jsonl' can't be read"):
        kept_of(Earlier(Path("none.jsonl"), ""), [], lambda _: None)
    monkeypatch.setenv("BREAKS", "1")
    scorer("run", rows(*many(14)), *RUN)
    before = Path("r.jsonl").read_bytes()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    told = scorer("run", "rows.jsonl", *RUN, "--retry-failed")
    assert (told.code, Path("r.jsonl").read_bytes()) == (2, before)
    assert "can't be written: No space left on device" in told.err
    assert sorted(p.name for p in folder.iterdir()) == ["r.jsonl", "r.jsonl.run.json", "rows.jsonl"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights")
def test_a_link_still_leads_to_the_file_after_it_was_replaced(folder: Path) -> None:
    path = folder.parent / "real.jsonl"
    path.write_bytes(b'{"a": 1}\n{"b": 2}\n')
    Path("r.jsonl").symlink_to(path)
    with going_on(Kept(Earlier(Path("r.jsonl"), ""), Digests(), [KeptFile(Path("r.jsonl"), 18, True, frozenset({1}))])):
        pass
    assert Path("r.jsonl").is_symlink()
    assert path.read_bytes() == b'{"b": 2}\n'


# Kills


def begun(environ: dict[str, str], *more: str) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "scorer_runner",
        "run",
        "rows.jsonl",
        *RUN,
        "--resume",
        "--concurrency",
        "4",
        *more,
    ]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=_heed_interrupts,
        env={**environ, "ASKED": os.environ["ASKED"]},
    )  # fmt: skip


FORKING = """
import os, sys
import langchain_core.language_models.chat_models, langchain_core.messages
import counting, scorer_faithfulness, scorer_hallucination
import scorer_core.evals, scorer_runner.showing.evidence, scorer_runner.planning.making, scorer_runner.running.session
from scorer_runner.cli import main
from scorer_runner.results import parts

parts.MOST = int(os.environ.get("MOST", parts.MOST))
nowhere = os.open(os.devnull, os.O_RDWR)
for command in sys.stdin:
    if not (child := os.fork()):
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os._exit(main(command.split()))
    print(child, flush=True)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""


@pytest.fixture
def forked(environ: dict[str, str], asked: Any) -> Iterator[Callable[..., Any]]:
    """Runs that need no time to begin, each in a process of its own that is killed where the block ends."""
    told = {**environ, "ASKED": os.environ["ASKED"]}
    parent = subprocess.Popen(
        [sys.executable, "-c", FORKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=told
    )
    assert parent.stdin is not None
    assert parent.stdout is not None

    @contextmanager
    def run(*args: str) -> Iterator[None]:
        print(*args, file=parent.stdin, flush=True)
        child = int(parent.stdout.readline())
        yield
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        assert parent.stdout.readline() == "gone\n"

    with parent:
        yield run


def _heed_interrupts() -> None:
    """What runs in the background, as tests may, is started with interrupts ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(running: subprocess.Popen[bytes] | None, lines: int) -> None:
    """Wait until there are so many lines, or the run is over."""
    path = Path("r.jsonl")
    until(
        lambda: (
            (running is not None and running.poll() is not None)
            or (path.exists() and path.read_bytes().count(b"\n") >= lines)
        )
    )


def until(there: Callable[[], bool]) -> None:
    """Wait until that is so, but no longer than a run may take."""
    end = time.monotonic() + 30
    while time.monotonic() < end and not there():
        time.sleep(0.002)


def whole_lines() -> Lines:
    text = Path("r.jsonl").read_bytes() if Path("r.jsonl").exists() else b""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith(b"\n")]


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_run_killed_again_and_again_ends_with_each_row_and_scorer_once(
    scorer: Any, rows: Any, results: Any, asked: Any, environ: Any, forked: Any
) -> None:
    n, seed = 500, time.time_ns() % 1_000_000
    print(f"seed {seed}")  # shown where it fails
    chance = random.Random(seed)
    source = rows(*many(n))
    scorer("run", source, *RUN[:-1], "whole.jsonl", "--concurrency", "50")
    asked()
    for lines in (0, 1, *sorted(chance.sample(range(2, 2 * n - 40), 28))):
        done = Counter(line["row_id"] for line in whole_lines())
        with forked("run", source, *RUN, "--resume", "--concurrency", "4"):
            wait_for(None, lines)
            time.sleep(chance.random() * 0.02)
        assert not {f"r{i}" for i in asked()} & {row for row, scorers in done.items() if scorers == 2}
        assert max(Counter(map(key, whole_lines())).values(), default=0) <= 1
        if chance.random() < 0.5 and whole_lines():  # what a kill leaves as a rule by chance only
            with open("r.jsonl", "ab") as file:
                file.write(b'{"schema_version": 1, "scor')
    with begun(environ) as last:
        out, _ = last.communicate(timeout=60)
    assert last.returncode == 0
    assert f"{n} rows · 2 scorers" in out.decode()
    assert once(results("r.jsonl"), n)
    assert scores(results("r.jsonl")) == scores(results("whole.jsonl"))


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_parts_in_parquet_are_whole_whenever_a_run_is_killed_and_hold_each_row_and_scorer_once_in_the_end(
    scorer: Any, rows: Any, results: Any, asked: Any, monkeypatch: pytest.MonkeyPatch, request: Any
) -> None:
    monkeypatch.setenv("MOST", "9")
    forked, n, seed = request.getfixturevalue("forked"), 100, time.time_ns() % 1_000_000
    print(f"seed {seed}")  # shown where it fails
    chance = random.Random(seed)
    source = rows(*many(n))
    scorer("run", source, *RUN[:-1], "whole.jsonl", "--concurrency", "50")
    for most in (0, 1, *sorted(chance.sample(range(2, 2 * n - 20), 10)), 2 * n):
        with forked("run", source, *RUN[:-1], "r/", "--format", "parquet", "--resume", "--concurrency", "4"):
            until(lambda most=most: len(lines_of_parts()) >= most)
            time.sleep(chance.random() * 0.02)
        assert {len([*lines_in(part)]) for part in Path("r").glob("*.parquet")} <= {*range(1, 10)}
        assert max(Counter(map(key, lines_of_parts())).values(), default=0) <= 1
        if chance.random() < 0.5 and (left := [*Path("r").glob("_part-*.jsonl")]):  # as a kill leaves it at times
            left[-1].write_bytes(left[-1].read_bytes() + b'{"schema_version": 1, "scor')
    assert scorer("run", source, *RUN[:-1], "r/", "--format", "parquet", "--resume").code == 0
    assert once(lines_of_parts(), n)
    assert scores(lines_of_parts()) == scores(results("whole.jsonl"))
    assert {part.suffix for part in Path("r").iterdir()} == {".parquet"}


def lines_of_parts() -> Lines:
    """The whole lines in `r/`, also while a part becomes Parquet."""
    while True:
        with suppress(FileNotFoundError):
            raws = [raw for part in parts_of(Path("r")) for raw in lines_in(part)] if Path("r").is_dir() else []
            return [json.loads(raw) for raw in raws if raw.endswith(b"\n")]


def test_where_calls_fail_at_random_and_some_for_good_every_row_is_accounted_for(
    scorer: Any, rows: Any, results: Any, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    n, seed = 300, time.time_ns() % 1_000_000
    print(f"seed {seed}")  # shown where it fails
    monkeypatch.setenv("FLAKY", "1")
    monkeypatch.setenv("SEED", str(seed))
    source = rows(*many(n))
    told = scorer("run", source, *RUN, "--concurrency", "50")
    lines = results("r.jsonl")
    assert told.code == 3
    assert once(lines, n)
    failed = {row_id for row_id, score in ((line["row_id"], line["score"]) for line in lines) if score is None}
    assert failed == {"r7", "r107", "r207"}
    assert {line["error"]["kind"] for line in lines if line["error"]} == {"server"}
    calls = [call for line in lines for made in line["judge"].values() for call in made if not call["cached"]]
    assert sum(call["attempts"] > 1 for call in calls) > 20
    asked()
    monkeypatch.delenv("FLAKY")
    assert scorer("run", source, *RUN, "--retry-failed").code == 0
    assert set(asked()) == {7, 107, 207}
    assert once(results("r.jsonl"), n)


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
def test_an_interrupted_run_goes_on(rows: Any, results: Any, asked: Any, environ: Any) -> None:
    rows(*many(60))
    with begun(environ) as running:
        wait_for(running, 20)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=30)
    assert running.returncode == 130
    lines = len(results("r.jsonl"))
    done = {row for row, n in Counter(line["row_id"] for line in results("r.jsonl")).items() if n == 2}
    assert 20 <= lines < 120
    asked()
    with begun(environ) as second:
        wait_for(second, lines + 10)
        second.send_signal(signal.SIGINT)
        _, told = second.communicate(timeout=30)
    assert second.returncode == 130
    kept = f"scorer: interrupted; {len(results('r.jsonl'))} results are in 'r.jsonl'; go on with: scorer run "
    assert told.decode().splitlines()[-1].startswith(kept)
    assert not {f"r{i}" for i in asked()} & done
    with begun(environ) as last:
        last.communicate(timeout=60)
    assert last.returncode == 0
    assert once(results("r.jsonl"), 60)

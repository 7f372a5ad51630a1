"""Each option of a run: with Ray's workers it comes to the same as in one process."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest

pytest.importorskip("ray", reason="no Ray here; uv run --group test --group ray pytest scorer_plugins/tools/ray")

from pyarrow.parquet import read_table

from scorer_runner.cli import main
from scorer_runner.ordering.order import Order
from scorer_runner.results.lines import lines_in

AGENT = """
import os
from scorer_core import TargetResult
from scorer_local_judge.model import LocalJudge

class Priced(LocalJudge):
    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        made = await super()._agenerate(messages, stop, run_manager, **how)
        made.generations[0].message.usage_metadata = {"input_tokens": 100, "output_tokens": 0, "total_tokens": 100}
        return made


judge = Priced()
ASKED = os.open(os.environ["ASKED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def agent(question, run):
    os.write(ASKED, f"{run.metadata['lang']} {question}\\n".encode())
    if question == "question 3":
        raise ValueError("no answer")
    return TargetResult("It rains. It is 5 degrees.", context=["It rains."])
"""
SCORERS = ("--scorer", "faithfulness", "--scorer", "hallucination:label=made_up")
JUDGE = "python:agent_of_tests:judge"
TARGET = ("--target", "python:agent_of_tests:agent")
OPTIONS: dict[str, tuple[str, ...]] = {
    "data": ("again.jsonl",),
    "map": ("--map", "input=ask", "--map", "made_up.context=seen"),
    "set": ("--set", "input=What is it?"),
    "split": ("--map", "context=joined", "--split", "context=;"),
    "rows_at": ("nested.json", "--rows-at", "data[].rows"),
    "encoding": ("--encoding", "utf-8-sig"),
    "id_duplicates": ("again.jsonl", "--id-duplicates", "number", "--map", "id=twice"),
    "target": TARGET,
    "repeats": (*TARGET, "--repeats", "3", "--passes", "faithfulness=1"),
    "limit": ("--limit", "5"),
    "scorer": ("--scorer", "answer_similarity:contradiction_penalty=0.5", "--scorer", "bias:scale=10"),
    "prompts": ("--prompts", "strict"),
    "prompts_by": ("--prompts-by", "lang=ja:ja"),
    "language": ("--language", "German"),
    "reasons": ("--reasons", "none"),
    "mode": ("--mode", "single"),
    "model": ("--model", "local"),
    "prices": ("--prices", "prices.toml"),
    "redact": ("--redact", "patterns.toml"),
    "cache": ("--cache", "NAME.sqlite"),
    "cache_mode": ("--cache", "NAME.sqlite", "--cache-mode", "refresh"),
    "cache_name": ("--cache", "NAME.sqlite", "--cache-name", "mine"),
    "passes": ("--passes", "made_up=0.5"),
    "format": ("--format", "markdown"),
    "by": ("--by", "lang", "--by", "day"),
    "store": ("--store", "digest"),
    "concurrency": ("--concurrency", "1"),
    "max_calls": ("--max-calls", "1000"),
    "max_cost": ("--prices", "prices.toml", "--max-cost", "1000"),
    "deadline": ("--deadline", "10m"),
    "gate": (
        "--gate",
        "faithfulness>=0.9",
        "--gate",
        "rate(made_up[lang=ja]<=0.5)>=0.5",
        "--gate",
        "p10(faithfulness)>=0",
    ),
    "min_coverage": ("--gate", "faithfulness>=0", "--min-coverage", "0.5"),
}
ELSEWHERE = {
    "out": "every test here",
    "engine": "every test here",
    "resume": "test_engine",
    "retry_failed": "test_what_failed_is_retried",
    "model_arg": "no model that takes one is here; it is told to workers as all others are",
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_ray: Any) -> Path:
    """A folder of rows in some forms, an agent, prices and patterns."""
    (tmp_path / "agent_of_tests.py").write_text(AGENT)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "agent_of_tests", raising=False)
    monkeypatch.setenv("ASKED", str(tmp_path / "asked"))
    monkeypatch.setattr("scorer_runner.terminal.console.WIDTH", 200)  # so that no time is long enough to break a line
    monkeypatch.chdir(tmp_path)
    rows = [
        {
            "id": f"r{n}", "lang": "ja" if n % 3 else "en", "day": "2026-01-01", "input": f"question {n}",
            "ask": f"what is {n}?", "output": f"It rains. There are {n} mills.", "context": ["It rains."],
            "joined": "It rains.;There are 2 mills.", "seen": ["There are 2 mills."], "twice": f"t{n // 2}",
            "ground_truth": "It rains.",
        }
        for n in range(9)
    ]  # fmt: skip
    for name in ("rows.jsonl", "again.jsonl"):
        Path(name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    Path("nested.json").write_text(json.dumps({"data": [{"rows": rows[:4]}, {"rows": rows[4:]}]}), "utf-8")
    Path("prices.toml").write_text("[local]\ninput = 1\noutput = 2\n")
    Path("patterns.toml").write_text('mill = "mills"\n')
    return tmp_path


def run(name: str, options: tuple[str, ...], capfd: Any, *more: str) -> tuple[int, list[str]]:
    """The exit code and what stands on standard output, without the times, the file's name and what calls took.

    Equal questions of rows that are under way are asked once: with workers, of the rows of one batch.
    """
    data = [] if options[0].endswith((".jsonl", ".json")) else ["rows.jsonl"]
    told = [option.replace("NAME", name) for option in options]
    code = main(["run", *data, "--model", JUDGE, *told, *SCORERS, "--out", f"{name}.jsonl", *more])
    shown = re.sub(rf"\b{name}\.jsonl|[\d.,]+ m?s\b|\b[\d,]+ (made|in ·).*", "", capfd.readouterr().out)
    shown = re.sub(r" +", " ", re.sub("─+", "─", shown))
    return code, sorted(shown.splitlines()) if "markdown" in options else shown.splitlines()


def test_each_option_is_tried_here_or_said_to_be_elsewhere() -> None:
    assert {a.name for a in attrs.fields(Order)} == OPTIONS.keys() | ELSEWHERE.keys()


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_comes_to_the_same_as_in_one_process(name: str, lasting: Any, capfd: Any, place: Path) -> None:
    here = run("here", OPTIONS[name], capfd)
    there = run("there", OPTIONS[name], capfd, "--engine", "ray:batch_size=2")
    assert lasting(place / "there.jsonl") == lasting(place / "here.jsonl")
    assert len(lasting(place / "here.jsonl")) > 0
    assert there == here


def test_results_stream_out_as_parts(lasting: Any, capfd: Any, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorer_runner.results.parts.MOST", 5)
    run("here", ("rows.jsonl",), capfd)
    how = ("run", "rows.jsonl", "--model", JUDGE, *SCORERS, "--out", "parts/", "--engine", "ray:batch_size=2")
    assert main([*how]) == 0
    parts = sorted((place / "parts").iterdir())
    assert [len(part.read_text().splitlines()) for part in parts] == [5, 5, 5, 3]
    (place / "there.jsonl").write_bytes(b"".join(part.read_bytes() for part in parts))
    assert lasting(place / "there.jsonl") == lasting(place / "here.jsonl")
    assert main([*how, "--format", "parquet", "--resume"]) == 0
    parts = sorted((place / "parts").iterdir())
    assert [read_table(part).num_rows for part in parts] == [5, 5, 5, 3]
    (place / "there.jsonl").write_bytes(b"".join(raw for part in parts for raw in lines_in(part)))
    assert lasting(place / "there.jsonl") == lasting(place / "here.jsonl")


def test_a_target_is_asked_once_a_repeat_also_where_a_run_goes_on(lasting: Any, capfd: Any, place: Path) -> None:
    options = (*TARGET, "--repeats", "2")
    run("here", options, capfd)
    run("there", options, capfd, "--engine", "ray:batch_size=2")
    asked = (place / "asked").read_text().splitlines()
    assert len(asked) == 2 * 2 * 9
    whole = (place / "there.jsonl").read_bytes().splitlines(keepends=True)
    (place / "there.jsonl").write_bytes(b"".join(whole[:13]))
    code, told = run("there", options, capfd, "--engine", "ray:batch_size=2", "--resume")
    assert (code, told[0]) == (3, "9 rows × 2 repeats · 2 scorers · judge python:agent_of_tests:judge · ")
    again = (place / "asked").read_text().splitlines()[len(asked) :]
    assert again == ["en question 3"] * len(again)  # it gave nothing, and so is asked again
    assert lasting(place / "there.jsonl") == lasting(place / "here.jsonl")


def test_what_failed_is_retried(lasting: Any, capfd: Any, place: Path) -> None:
    run("there", TARGET, capfd, "--engine", "ray:batch_size=2")
    assert sum(r["status"] == "failed" for r in lasting(place / "there.jsonl")) == 2
    code, _ = run("there", TARGET, capfd, "--engine", "ray:batch_size=2", "--retry-failed")
    assert (code, len(lasting(place / "there.jsonl"))) == (3, 18)
    asked = (place / "asked").read_text().splitlines()
    assert len(asked) == 10


@pytest.mark.parametrize("limit", ["--max-calls", "--max-cost"])
def test_a_limit_holds_for_all_workers_together_and_the_run_goes_on(
    limit: str, lasting: Any, lines: Any, capfd: Any, place: Path
) -> None:
    def made(name: str) -> tuple[int, float]:
        told = [e for r in lines(place / name) for calls in r["judge"].values() for e in calls if not e["cached"]]
        return sum(e["attempts"] for e in told), sum(e["cost"] for e in told)

    options = ("rows.jsonl", "--prices", "prices.toml")
    run("whole", options, capfd)
    calls, cost = made("whole.jsonl")
    most = str(calls // 2) if limit == "--max-calls" else str(cost / 2)
    how = (*options, limit, most, "--concurrency", "2")
    assert main(["run", *how, *SCORERS, "--model", JUDGE, "--out", "there.jsonl", "--engine", "ray:batch_size=2"]) == 3
    assert f"stopped: budget: {limit[2:].replace('-', '_')} of " in capfd.readouterr().err
    cut = lines(place / "there.jsonl")
    assert 0 < made("there.jsonl")[0] <= (calls // 2 if limit == "--max-calls" else calls - 1)
    assert all(r["status"] == "scored" for r in cut)
    code, told = run("there", options, capfd, "--engine", "ray:batch_size=2", "--resume")
    assert (code, told[0]) == (0, "9 rows · 2 scorers · judge python:agent_of_tests:judge · ")
    assert lasting(place / "there.jsonl") == lasting(place / "whole.jsonl")


def test_repeats_are_each_scored_anew(lasting: Any, capfd: Any, place: Path) -> None:
    run("first", (*TARGET, "--repeats", "2"), capfd)
    for name, engine in (("here", "local"), ("there", "ray:batch_size=2")):
        main(["rescore", "first.jsonl", "--out", f"{name}.jsonl", "--engine", engine, *SCORERS, "--model", JUDGE])
    assert lasting(place / "there.jsonl") == lasting(place / "here.jsonl")
    assert len(lasting(place / "here.jsonl")) == 36


def test_results_are_scored_anew_from_a_step_on(lasting: Any, lines: Any, capfd: Any, place: Path) -> None:
    run("first", ("rows.jsonl",), capfd)
    for name, engine in (("here", "local"), ("there", "ray:batch_size=2")):
        again = ("rescore", "first.jsonl", "--from-step", "analyze", "--out", f"{name}.jsonl", "--engine", engine)
        assert main([*again, *SCORERS, "--model", JUDGE]) == 0
    assert lasting(place / "there.jsonl") == lasting(place / "here.jsonl")
    assert not any("preprocess" in r["judge"] for r in lines(place / "there.jsonl"))

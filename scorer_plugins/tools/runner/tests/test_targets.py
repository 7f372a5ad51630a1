"""`--target`: the outputs are made while the run goes on, and no row's target is asked twice."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scorer_runner.planning.targets import answers_of

TARGET = '''
"""A target that writes down what it is asked, and a judge that waits for a file where it is told to."""

import asyncio
import itertools
import os
from pathlib import Path

from langchain_core.messages import AIMessage

from scorer_core import StepRun, TargetResult
from scorer_core.testing import ScriptedJudge

LOG = os.open(os.environ.get("CALLED", os.devnull), os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def call(name):
    os.write(LOG, f"{name}\\n".encode())


async def agent(question):
    await asyncio.sleep(0.005)
    if question == "raises":
        raise RuntimeError("no network")
    call(question)
    return TargetResult(f"the answer to {question}", context=[f"what is known of {question}"])


def graph_like(question):
    call(question)
    tool_call = {"name": "look", "args": {"at": question}, "id": "c1"}
    tool = {"role": "tool", "tool_call_id": "c1", "name": "look", "content": f"seen: {question}"}
    return {"messages": [("human", question), AIMessage("", tool_calls=[tool_call]), tool, AIMessage("done")]}


count = itertools.count()


def moody(question):
    call(question)
    return "WRONG" if next(count) % 2 else "right"


number = 3


class Judge(ScriptedJudge):
    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        while os.environ.get("WAITS") and not Path(os.environ["WAITS"]).exists():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.005)
        return await super()._agenerate(messages, stop, run_manager, **how)


def verdicts(messages):
    wrong = "WRONG" in str(messages[1].content)
    return {"verdicts": [{"number": 1, "reason": "so", "chunk": 1, "verdict": "no" if wrong else "yes"}]}


def claims(messages):
    return {"claims": ["a WRONG claim" if "WRONG" in str(messages[-1].content) else "a claim"]}


judge = Judge(preprocess=claims, analyze=verdicts, generate_reason="Because.")
'''
RUN = ("--scorer", "faithfulness", "--scorer", "hallucination", "--model", "python:agents:judge", "--out", "r.jsonl")
AGENT = ("--target", "python:agents:agent")


@pytest.fixture(autouse=True)
def called(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """What the target was asked, in all."""
    (folder.parent / "modules" / "agents.py").write_text(TARGET)
    (folder.parent / "modules" / "script.py").write_text("def main(): return 0\nraise SystemExit(main())")
    log = folder.parent / "called"
    log.touch()
    monkeypatch.setenv("CALLED", str(log))
    monkeypatch.delitem(sys.modules, "agents", raising=False)
    return lambda: log.read_text().splitlines()


def asking(n: int) -> list[dict[str, Any]]:
    return [{"id": f"r{i}", "input": f"question {i}"} for i in range(n)]


def told(path: str = "r.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in answers_of(Path(path)).read_text().splitlines()]


def started(environ: dict[str, str], *args: str, **more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "scorer_runner", "run", *args]
    return subprocess.Popen(command, env={**environ, **more}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def killed(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 50
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_target_answers_the_rows_and_its_context_is_judged_against(
    scorer: Any, rows: Any, results: Any, called: Any
) -> None:
    done = scorer("run", rows(*asking(3)), *RUN, *AGENT)
    assert done.code == 0, done.err
    lines = results("r.jsonl")
    assert sorted(called()) == ["question 0", "question 1", "question 2"]
    assert {line["output"] for line in lines} == {f"the answer to question {i}" for i in range(3)}
    assert {line["context_source"] for line in lines} == {"row"}
    assert len(told()) == 3
    assert json.loads(Path("r.jsonl.run.json").read_text())["target"] == "python:agents:agent"


def test_what_an_agent_was_told_by_its_tools_is_there_again_after_a_resume(
    scorer: Any, rows: Any, results: Any, called: Any
) -> None:
    how = (*RUN, "--target", "python:agents:graph_like")
    source = rows(*asking(2))
    scorer("run", source, *how)
    whole = sorted((r["row_id"], r["scorer_label"], str(r["context"]), r["score"]) for r in results("r.jsonl"))
    assert "seen: question 0" in whole[0][2]
    os.truncate("r.jsonl", 0)
    assert scorer("run", source, *how, "--resume").code == 0
    assert len(called()) == 2
    again = sorted((r["row_id"], r["scorer_label"], str(r["context"]), r["score"]) for r in results("r.jsonl"))
    assert again == whole


def test_a_target_is_not_asked_again_when_the_kill_came_between_its_answer_and_the_scores(
    environ: Any, rows: Any, results: Any, called: Any, scorer: Any
) -> None:
    source = rows(*asking(4))
    process = started(environ, source, *RUN, *AGENT, WAITS="for ever")
    wait_for(lambda: answers_of(Path("r.jsonl")).exists() and len(told()) == 4)
    killed(process)
    assert results("r.jsonl") == []
    assert scorer("run", source, *RUN, *AGENT, "--resume").code == 0
    assert Counter(called()) == Counter(f"question {i}" for i in range(4))
    assert len(results("r.jsonl")) == 8
    assert len(told()) == 4


def test_after_kills_at_random_moments_every_row_is_there_once_and_its_target_was_asked_once(
    environ: Any, rows: Any, results: Any, called: Any
) -> None:
    chance, source = random.Random(4), rows(*asking(60))
    for n in range(5):
        process = started(environ, source, *RUN, *AGENT, "--concurrency", "4", *(["--resume"] if n else []))
        before = len(called())
        wait_for(lambda: len(called()) > before or process.poll() is not None)  # noqa: B023
        time.sleep(chance.uniform(0, 0.08))
        killed(process)
    process = started(environ, source, *RUN, *AGENT, "--resume")
    assert process.wait(60) == 0, process.communicate()[1]
    process.communicate()
    lines = results("r.jsonl")
    assert Counter((r["row_id"], r["scorer_label"]) for r in lines) == Counter(
        (f"r{i}", s) for i in range(60) for s in ("faithfulness", "hallucination")
    )
    assert Counter(called()) == Counter(f"question {i}" for i in range(60))


def test_a_half_written_answer_is_asked_for_again(scorer: Any, rows: Any, called: Any) -> None:
    source = rows(*asking(2))
    scorer("run", source, *RUN, *AGENT, "--concurrency", "1")
    beside = answers_of(Path("r.jsonl"))
    os.truncate(beside, beside.stat().st_size - 10)
    os.truncate("r.jsonl", 0)
    assert scorer("run", source, *RUN, *AGENT, "--resume").code == 0
    assert Counter(called()) == {"question 0": 1, "question 1": 2}
    assert [line["row_id"] for line in told()] == ["r0", "r1"]


def test_a_row_whose_target_raised_is_asked_again_when_failures_are_retried(
    scorer: Any, rows: Any, results: Any, called: Any
) -> None:
    source = rows({"id": "a", "input": "fine"}, {"id": "b", "input": "raises"})
    assert scorer("run", source, *RUN, *AGENT).code == 3
    assert {r["error"]["kind"] for r in results("r.jsonl") if r["error"]} == {"target_error"}
    assert scorer("run", source, *RUN, *AGENT, "--retry-failed").code == 3
    assert called() == ["fine"]
    assert len(results("r.jsonl")) == 4


def test_a_run_with_another_target_differs(scorer: Any, rows: Any) -> None:
    source = rows(*asking(1))
    scorer("run", source, *RUN, *AGENT)
    other = scorer("run", source, *RUN, "--target", "python:agents:moody", "--resume")
    assert other.code == 2
    assert 'target: "python:agents:agent" in the file, "python:agents:moody" now' in other.err
    assert "repeats: 1 in the file, 2 now" in scorer("run", source, *RUN, *AGENT, "--resume", "--repeats", "2").err


def test_answers_of_another_run_are_not_written_over(scorer: Any, rows: Any) -> None:
    answers_of(Path("r.jsonl")).write_text("precious")
    refused = scorer("run", rows(*asking(1)), *RUN, *AGENT)
    assert refused.code == 2
    assert "r.jsonl.targets.jsonl' is there already" in refused.err
    assert answers_of(Path("r.jsonl")).read_text() == "precious"


def test_results_on_standard_output_have_no_file_beside_them(scorer: Any, rows: Any) -> None:
    done = scorer("run", rows(*asking(1)), *RUN[:-1], "-", *AGENT)
    assert [json.loads(line)["output"] for line in done.out.splitlines()] == ["the answer to question 0"] * 2
    assert not list(Path().glob("*.targets.jsonl"))


@pytest.mark.parametrize("how", [("--out", "-"), ("--out", "printed.jsonl", "--format", "jsonl")])
def test_what_a_target_prints_is_not_among_the_results(
    folder: Path, scorer: Any, rows: Any, how: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "talking", raising=False)
    (folder.parent / "modules" / "talking.py").write_text(
        "print('made')\ndef target(question):\n    print('asked', question)\n    return 'so'\n"
    )
    done = scorer("run", rows(*asking(2)), *RUN[:-2], *how, "--target", "python:talking:target")
    assert [json.loads(line)["output"] for line in done.out.splitlines()] == ["so"] * 4
    assert all(told in done.err for told in ("made", "asked question 0", "asked question 1"))


def test_repeats_are_results_of_their_own_and_each_is_made_once(
    scorer: Any, rows: Any, results: Any, called: Any
) -> None:
    how = (*RUN, "--target", "python:agents:moody", "--repeats", "4", "--passes", "hallucination=0.5")
    source = rows({"id": "r", "input": "q", "context": "c"})
    done = scorer("run", source, *how, "--concurrency", "1")
    assert done.code == 0, done.err
    lines = results("r.jsonl")
    assert [r["repeat"] for r in lines if r["scorer_label"] == "hallucination"] == [1, 2, 3, 4]
    assert "1 row × 4 repeats" in done.out
    assert "pass@1 0.50 over 1 · pass@4 1.00 over 1 · pass^4 0.00 over 1 · 1 unstable" in done.out
    half = Path("r.jsonl").read_bytes().splitlines(keepends=True)[:5]
    Path("r.jsonl").write_bytes(b"".join(half))
    again = scorer("run", source, *how, "--resume")
    assert len(called()) == 4
    assert len(results("r.jsonl")) == 8
    assert "pass@1 0.50 over 1 · pass@4 1.00 over 1 · pass^4 0.00 over 1 · 1 unstable" in again.out


def test_rows_of_turns_are_conversed_and_need_no_input_column(scorer: Any, rows: Any, results: Any) -> None:
    source = rows({"id": "r", "turns": ["one", "two"]})
    assert scorer("run", source, *RUN, "--target", "python:agents:moody").code == 0
    assert [m["content"] for m in results("r.jsonl")[0]["input"]] == ["one", "right", "two"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("agents:agent", "expected python:module:attribute"),
        ("python:agents", "expected python:module:attribute"),
        ("python:no_such:agent", "ModuleNotFoundError"),
        ("python:agents:no_such", "AttributeError"),
        ("python:script:main", "SystemExit: 0"),
        ("python:agents:number", "expected a function, a LangChain Runnable or a compiled LangGraph graph, got int"),
    ],
)
def test_a_target_that_is_none_is_told_before_anything_runs(scorer: Any, rows: Any, given: str, said: str) -> None:
    done = scorer("run", rows(*asking(1)), *RUN, "--target", given)
    assert done.code == 2
    assert f"--target {given}: " in done.err
    assert said in done.err
    assert not Path("r.jsonl").exists()


def test_rows_that_ask_nothing_are_told_before_the_target_is_asked(scorer: Any, rows: Any, called: Any) -> None:
    done = scorer("run", rows({"prompt": "q", "output": "logged"}), *RUN, *AGENT)
    assert done.code == 2
    assert "--map input=prompt" in done.err
    assert called() == []


@pytest.mark.parametrize(
    ("given", "said"),
    [("bias=0.5", "no scorer 'bias'"), ("faithfulness=high", "expected a number"), ("faithfulness", "LABEL=SCORE")],
)
def test_passes_that_do_not_fit_are_told(scorer: Any, rows: Any, given: str, said: str) -> None:
    done = scorer("run", rows(*asking(1)), *RUN, *AGENT, "--passes", given)
    assert (done.code, said in done.err) == (2, True), done.err


def test_rows_of_standard_input_are_known_by_their_id_and_their_target_is_not_asked_again(
    process: Any, results: Any, called: Any
) -> None:
    def stream(*names: str) -> bytes:
        return "".join(f'{{"id": "{name}", "input": "{name}"}}\n' for name in names).encode()

    log = str(Path("..", "called").resolve())
    assert process("run", "-", *RUN, *AGENT, stdin=stream("a", "b"), CALLED=log).code == 0
    os.truncate("r.jsonl", 0)
    assert process("run", "-", *RUN, *AGENT, "--resume", stdin=stream("b", "c", "a"), CALLED=log).code == 0
    assert sorted(called()) == ["a", "b", "c"]
    assert len(results("r.jsonl")) == 6


def test_repeats_of_a_row_make_no_mean_surer_and_a_row_half_failed_and_retried_is_one_row(
    scorer: Any, rows: Any, called: Any
) -> None:
    source = rows(*({"id": f"r{n}", "input": f"question {n}", "lang": "en"} for n in range(2)))
    how = (*RUN, *AGENT, "--repeats", "3", "--by", "lang", "--gate", "hallucination<=1")
    done = scorer("run", source, *how)
    assert done.code == 0, done.err
    assert re.search(r"6 judged +\S+ m?s *\n.*in 2 rows", done.out)
    assert "6 judged in 2 rows" in done.out
    assert "fewer than 30 judged rows" in done.out
    lines = Path("r.jsonl").read_text().splitlines()
    broken = {**json.loads(lines[0]), "status": "failed", "score": None}
    broken["error"] = {"kind": "server", "step": None, "message": "m"}
    Path("r.jsonl").write_text("\n".join([json.dumps(broken), *lines[1:]]) + "\n")
    again = scorer("run", source, *how, "--retry-failed")
    assert again.code == 0, again.err
    assert "6 judged in 2 rows" in again.out

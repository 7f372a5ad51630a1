from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no such signals")

JUDGE = '''
"""A judge that does what a row says: answers at once, takes a while, or never answers, in one of three ways."""

import asyncio
import re
import time

from scorer_core.judging import flight
from scorer_core.evaluating import side_by_side
from scorer_core.testing import ScriptedJudge

flight.GRACE, side_by_side.MOST_AFTER = 1.0, 2.0


def row_of(messages):
    return re.search(r"row-(\\d+)-", " ".join(str(m.content) for m in messages))[0]


def verdicts(messages):
    return {"verdicts": [{"number": 1, "reason": row_of(messages), "chunk": 1, "verdict": "yes"}]}


class Judge(ScriptedJudge):
    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        text = str(messages[1].content)
        if "HANGS" in text:
            await asyncio.sleep(60)
        if "BLOCKS" in text:
            open("blocked", "w").close()
            time.sleep(60)
        if "THREAD" in text:
            await asyncio.to_thread(time.sleep, 60)
        if "SLOW" in text:
            await asyncio.sleep(0.4)
        return self._generate(messages, stop, run_manager, **how)


judge = Judge(preprocess=lambda m: {"claims": [f"of {row_of(m)}"]}, analyze=verdicts)
'''
RUN = (
    "--scorer", "faithfulness", "--scorer", "hallucination", "--model", "python:stopping_judge:judge",
    "--reasons", "none", "--out", "r.jsonl", "--resume", "--concurrency", "8",
)  # fmt: skip


@pytest.fixture(autouse=True)
def judge(folder: Path) -> Path:
    path = folder.parent / "modules" / "stopping_judge.py"
    path.write_text(JUDGE)
    return path


def given(n: int, words: str = "") -> dict[str, Any]:
    return {"id": f"r{n}", "input": "q?", "output": f"row-{n}- {words}", "context": [f"so row-{n}-"]}


def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("r.jsonl").read_text("utf-8").splitlines()]


def done() -> Counter[tuple[str, str]]:
    return Counter((line["row_id"], line["scorer_label"]) for line in lines() if line["status"] == "scored")


def all_of(*numbers: int) -> Counter[tuple[str, str]]:
    return Counter((f"r{n}", s) for n in numbers for s in ("faithfulness", "hallucination"))


def begun(environ: dict[str, str], *more: str, heed: bool = True) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "scorer_runner", "run", "rows.jsonl", *RUN, *more]

    def heeding() -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL if heed else signal.SIG_IGN)

    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heeding, env=environ)


def wait_until(holds: Callable[[], object], running: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


def interrupted(environ: dict[str, str], lines: int, *signals: int) -> tuple[subprocess.Popen[bytes], list[str], float]:
    """A run that gets signals once there are so many lines; what it says, and how long it went on after the last."""
    with begun(environ) as running:
        there = Path("r.jsonl")
        wait_until(lambda: there.exists() and there.read_bytes().count(b"\n") >= lines, running)
        time.sleep(0.2)  # the calls of the other rows are begun
        for number in signals:
            running.send_signal(number)
            sent = time.monotonic()
            time.sleep(0.3)  # one that comes while the same is waiting is lost
        _, told = running.communicate(timeout=60)
        return running, told.decode().splitlines(), time.monotonic() - sent


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_once_calls_in_flight_are_finished_and_kept(rows: Any, environ: Any, number: int) -> None:
    rows(*[given(n) for n in range(4)], *[given(n, "SLOW") for n in range(4, 60)])
    running, told, _ = interrupted(environ, 8, number)
    assert running.returncode == 130
    assert told[0].startswith("scorer: stopping; ")
    assert told[0].endswith(" calls in flight have 10 s to finish; once more (Ctrl-C) stops at once")
    n = sum(done().values())
    assert told[1].startswith(f"scorer: interrupted; {n} results of ")
    assert " complete rows are in 'r.jsonl'; go on with: scorer run " in told[1]
    assert len(told) == 2
    assert set(all_of(*range(4))) <= set(done())
    assert n < 60
    assert len(lines()) == n  # nothing that was cut off stands there
    with begun(environ) as last:
        last.communicate(timeout=60)
    assert last.returncode == 0
    assert done() == all_of(*range(60))


@pytest.mark.parametrize("hangs", ["HANGS", "THREAD"])
def test_R087_once_while_the_judge_hangs_the_run_ends_after_the_stated_time(
    rows: Any, environ: Any, judge: Path, hangs: str
) -> None:
    rows(*[given(n) for n in range(4)], *[given(n, hangs) for n in range(4, 20)])
    running, told, took = interrupted(environ, 8, signal.SIGINT)
    assert running.returncode == 130
    assert told[0] == "scorer: stopping; 8 calls in flight have 10 s to finish; once more (Ctrl-C) stops at once"
    assert 0.9 < took < 30
    assert done() == all_of(*range(4))
    judge.write_text(JUDGE.replace(hangs, "NEVER"))
    with begun(environ) as last:
        last.communicate(timeout=60)
    assert done() == all_of(*range(20))


def test_twice_ends_a_run_whose_loop_is_blocked_by_the_judge(rows: Any, environ: Any) -> None:
    rows(*[given(n, "BLOCKS") for n in range(20)])
    with begun(environ) as running:
        wait_until(Path("blocked").exists, running)
        for _ in range(2):
            running.send_signal(signal.SIGINT)
            sent = time.monotonic()
            time.sleep(0.3)
        running.communicate(timeout=60)
    assert running.returncode == 130
    assert time.monotonic() - sent < 30  # each row alone would take a minute
    assert lines() == []


@pytest.mark.parametrize("hangs", ["HANGS", "THREAD"])
@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_twice_the_run_ends_at_once_and_keeps_what_is_written(
    rows: Any, environ: Any, judge: Path, hangs: str, second: int
) -> None:
    judge.write_text(JUDGE.replace("1.0, 2.0", "60.0, 61.0"))
    rows(*[given(n) for n in range(4)], *[given(n, hangs) for n in range(4, 20)])
    running, told, took = interrupted(environ, 8, signal.SIGINT, second)
    assert running.returncode == 130
    assert told[-1].startswith("scorer: interrupted; 8 results of 4 complete rows are in 'r.jsonl'; go on with: ")
    assert took < 30
    assert done() == all_of(*range(4))
    assert len(lines()) == 8


def test_signals_that_are_ignored_stay_so(rows: Any, environ: Any) -> None:
    rows(*[given(n, "SLOW") for n in range(12)])
    with begun(environ, heed=False) as running:
        wait_until(lambda: Path("r.jsonl").exists(), running)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    assert running.returncode == 0
    assert done() == all_of(*range(12))

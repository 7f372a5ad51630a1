"""What several test files need: a command line to call, rows to call it on, and a judge that needs no network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from scorer_runner.cli import main

JUDGE = '''
"""A judge for tests; rows that hold a marker make it misbehave."""

import asyncio

from scorer_core.testing import ScriptedJudge


class Status(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.status_code = code


def claims(messages):
    text = str(messages[-1].content)
    if "BROKEN" in text:
        raise Status(400, "this row is broken \\x1b[31mred\\x1b[0m")
    if "KEYLESS" in text:
        raise Status(401, "no such key")
    return {"claims": ["a WRONG claim" if "WRONG" in text else "a claim"]}


def verdicts(messages):
    wrong = "WRONG" in str(messages[1].content)
    return {"verdicts": [{"number": 1, "reason": "it says so", "chunk": 1, "verdict": "no" if wrong else "yes"}]}


class Judge(ScriptedJudge):
    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        if "SLOW" in str(messages[-1].content):
            await asyncio.sleep(60)
        return await super()._agenerate(messages, stop, run_manager, **how)


judge = Judge(preprocess=claims, analyze=verdicts, generate_reason="Because.")
'''


@frozen
class Told:
    """What a command line gave back."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, with a judge named `python:judge_of_tests:judge`."""
    place = tmp_path / "here"
    place.mkdir()
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "judge_of_tests.py").write_text(JUDGE)
    monkeypatch.chdir(place)
    monkeypatch.syspath_prepend(str(modules))
    monkeypatch.delitem(sys.modules, "judge_of_tests", raising=False)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return place


@pytest.fixture
def scorer(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Told]:
    """The command, called in this process."""

    def call(*args: str) -> Told:
        capfdbinary.readouterr()
        code = main(args)
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = capfdbinary.readouterr()
        return Told(code, out.decode(), err.decode())

    return call


@pytest.fixture
def process(folder: Path) -> Callable[..., Told]:
    """The command, called in a process of its own."""

    def call(*args: str, stdin: bytes = b"", **env: str) -> Told:
        done = subprocess.run(
            [sys.executable, "-m", "scorer_runner", *args],
            input=stdin, capture_output=True, cwd=folder, env=environment(folder, **env), timeout=60,
        )  # fmt: skip
        encoding = env.get("PYTHONIOENCODING", "utf-8")
        return Told(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))

    return call


@pytest.fixture
def environ(folder: Path) -> dict[str, str]:
    """The environment of a process that finds the judge of the tests."""
    return environment(folder)


def environment(folder: Path, **more: str) -> dict[str, str]:
    path = os.pathsep.join([str(folder.parent / "modules"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "0", **more}


@pytest.fixture
def rows(folder: Path) -> Callable[..., str]:
    """Writes rows as JSON Lines and gives back the file's name; a text is a line as it is."""

    def write(*given: Mapping[str, Any] | str, name: str = "rows.jsonl") -> str:
        lines = [row if isinstance(row, str) else json.dumps(row) for row in given]
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
        return name

    return write


@pytest.fixture
def judged() -> tuple[str, ...]:
    """The arguments of a run of two scorers with the judge of the tests."""
    return ("--scorer", "faithfulness", "--scorer", "hallucination", "--model", "python:judge_of_tests:judge")


@pytest.fixture
def results(folder: Path) -> Callable[..., list[dict[str, Any]]]:
    """The lines of a results file."""

    def read(name: str = "results.jsonl") -> list[dict[str, Any]]:
        return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]

    return read


@pytest.fixture
def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts a package `scorer-odd` beside those that are installed; `points` are of groups and lead to its names."""
    monkeypatch.delitem(sys.modules, "scorer_odd", raising=False)

    def put(code: str, metadata: str = "", **points: Mapping[str, str]) -> None:
        info = folder.parent / "modules/scorer_odd-1.0.dist-info"
        info.mkdir()
        info.with_name("scorer_odd.py").write_text(code, encoding="utf-8")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: scorer-odd\nVersion: 1.0\n{metadata}", "utf-8")
        lines = {
            group.replace("__", "."): [f"{name} = scorer_odd:{value}" for name, value in named.items()]
            for group, named in (points or {"scorer_core__scorers": {"odd": "spec"}}).items()
        }
        told = "\n".join(line for group, them in lines.items() for line in (f"[{group}]", *them))
        (info / "entry_points.txt").write_text(told, encoding="utf-8")

    return put

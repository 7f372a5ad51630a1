from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from io import BytesIO, TextIOWrapper

import pytest

pytest.importorskip("ray", reason="no Ray here; uv run --group test --group ray pytest scorer_plugins/tools/ray")

from pyarrow.parquet import read_table
from ray.exceptions import RayError

from scorer_core import RunResult, UsageError
from scorer_ray import engine
from scorer_ray.engine import RayEngine, ray_engine
from scorer_runner.cli import main
from scorer_runner.results.journal import description_of

OWN = {"RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0", "RAY_USAGE_STATS_ENABLED": "0"}
RUN = ("run", "rows.jsonl", "--scorer", "faithfulness", "--scorer", "bias")


@pytest.mark.cluster
def test_a_run_that_was_stopped_goes_on_with_two_workers_and_ends_as_it_would_have(cluster, rows, capsys, lasting):
    whole, stopped = rows.with_name("whole.jsonl"), rows.with_name("stopped.jsonl")
    gates = ("--gate", "faithfulness>=0.99")
    assert main([*RUN, *gates, "--out", "whole.jsonl"]) == 1
    stopped.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    description_of(stopped).write_bytes(description_of(whole).read_bytes())
    before = capsys.readouterr().out
    assert main([*RUN, *gates, "--out", "stopped.jsonl", "--resume", "--engine", "ray:workers=2"]) == 1
    assert lasting(stopped) == lasting(whole)
    after = capsys.readouterr().out
    assert "24 rows · 2 scorers" in before
    assert "24 rows · 2 scorers" in after


@pytest.mark.cluster
def test_workers_share_one_budget_and_a_target_that_is_asked_once_a_repeat(cluster, rows, monkeypatch, lines, capsys):
    """As in `test_options`, with a real Ray."""
    module = rows.with_name("agent_of_a_cluster.py")
    module.write_text(
        "import os\n"
        "asked = os.open('asked', os.O_WRONLY | os.O_APPEND | os.O_CREAT)\n"
        "def agent(question):\n    os.write(asked, b'x')\n    return f'It rains. {question}'\n"
    )
    monkeypatch.syspath_prepend(str(module.parent))
    monkeypatch.delitem(sys.modules, "agent_of_a_cluster", raising=False)
    how = ("--target", "python:agent_of_a_cluster:agent", "--repeats", "2", "--limit", "6", "--engine", "ray")
    assert main([*RUN, *how, "--out", "r.jsonl", "--max-calls", "9"]) == 3
    assert "max_calls of 9 is reached after 9 calls" in capsys.readouterr().err
    told = [e for r in lines(rows.with_name("r.jsonl")) for calls in r["judge"].values() for e in calls]
    assert sum(e["attempts"] for e in told if not e["cached"]) <= 9
    assert main([*RUN, *how, "--out", "r.jsonl", "--resume"]) == 0
    assert sorted((r["index"], r["repeat"]) for r in lines(rows.with_name("r.jsonl"))) == sorted(
        (n, repeat) for n in range(6) for repeat in (1, 2) for _ in range(2)
    )
    assert rows.with_name("asked").read_text() == "x" * 12


@pytest.mark.cluster
@pytest.mark.skipif(os.name == "nt", reason="no SIGTERM to send")
def test_a_run_that_is_told_to_end_keeps_what_is_complete_in_parquet(rows, asked):
    """Ray would take that signal for itself, and end the process on the spot."""
    given = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    many = [{**row, "id": f"{row.get('id')}-{n}"} for n in range(10) for row in given]
    rows.write_text("".join(f"{json.dumps(row)}\n" for row in many), "utf-8")
    how = ("--model", "python:telling_judge:judge", "--engine", "ray:workers=1,batch_size=2", "--concurrency", "2")
    command = [sys.executable, "-m", "scorer_runner", *RUN, *how, "--out", "parts/", "--format", "parquet"]
    env = {**os.environ, **OWN, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, cwd=rows.parent, env=env, stderr=subprocess.PIPE) as running:
        end = time.monotonic() + 120
        while len(asked()) < 30 and time.monotonic() < end:
            time.sleep(0.1)
        running.terminate()
        _, told = running.communicate(timeout=60)
    assert (running.returncode, b"results of" in told.splitlines()[-1]) == (130, True), told.decode()
    (part,) = rows.with_name("parts").iterdir()
    assert 0 < read_table(part).num_rows < 2 * len(many)


def test_a_run_writes_the_file_of_a_run_in_one_process(without_ray, rows, lasting, lines):
    assert main([*RUN, "--out", "here.jsonl", "--quiet"]) == 0
    assert main([*RUN, "--out", "there.jsonl", "--quiet", "--engine", "ray"]) == 0
    assert lasting(rows.with_name("there.jsonl")) == lasting(rows.with_name("here.jsonl"))
    assert {line["run"] for line in lines(rows.with_name("there.jsonl"))} != {None}
    assert sum(without_ray) == 24
    assert len(without_ray) == 8


def test_where_nothing_is_left_to_do_no_worker_is_asked(without_ray, rows):
    assert main([*RUN, "--quiet"]) == 0
    assert main([*RUN, "--out", "results.jsonl", "--resume", "--engine", "ray"]) == 0
    assert without_ray == []


def test_an_error_that_all_rows_would_meet_stops_all_workers_and_what_is_done_is_kept(
    without_ray, rows, keyless, capsys, lines
):
    given = [{"id": f"{n}", "output": "KEYLESS" if n == 3 else "red"} for n in range(40)]
    rows.write_text("".join(f"{json.dumps(row)}\n" for row in given))
    command = ("run", "rows.jsonl", "--scorer", "bias", "--model", keyless.model, "--concurrency", "1")
    assert main([*command, "--out", "r.jsonl", "--engine", "ray:workers=1,batch_size=2"]) == 3
    assert [(r["index"], r["status"]) for r in lines(rows.with_name("r.jsonl"))] == [
        (0, "scored"), (1, "scored"), (2, "scored"),
    ]  # fmt: skip
    assert "stopped: auth" in capsys.readouterr().err


def test_each_line_is_a_result_that_reads_back(without_ray, rows, lines):
    assert main([*RUN, "--quiet", "--engine", "ray", "--limit", "2"]) == 0
    assert [RunResult.from_dict(line).index for line in lines(rows.with_name("results.jsonl"))] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("rows.jsonl", "--engine", "ray:workers=0"), "workers: expected a whole number of 1 or more, got 0"),
        (("rows.jsonl", "--engine", "ray:workers=many"), "workers: expected a whole number of 1 or more, got 'many'"),
        (("rows.jsonl", "--engine", "ray:wrokers=2"), "no option wrokers (have: workers, batch_size)"),
        (("rows.jsonl", "--engine", "ray:2"), "expected NAME=VALUE"),
        (("-", "--engine", "ray"), "a stream may have no end; name a file"),
        (("rows.jsonl", "--engine", "ray", "--out", "-"), "Ray writes to standard output, too"),
    ],
)
def test_what_can_not_be_is_told_before_ray_starts(given, told, rows, monkeypatch, capsys):
    monkeypatch.setattr(engine, "started", lambda: pytest.fail("Ray was started"))
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(rows.read_bytes())))
    assert main(["run", *given, "--scorer", "bias"]) == 2
    assert told in capsys.readouterr().err
    assert not rows.with_name("results.jsonl").exists()


def test_a_cluster_that_is_not_there_is_wrong_usage(monkeypatch):
    def init(**_):
        raise ConnectionError("no cluster at 10.0.0.1")

    monkeypatch.setattr(engine.ray, "is_initialized", lambda: False)
    monkeypatch.setattr(engine.ray, "init", init)
    monkeypatch.delenv("RAY_USAGE_STATS_ENABLED", raising=False)
    with pytest.raises(UsageError, match=r"Ray does not start: no cluster at 10\.0\.0\.1"):
        engine.started()


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_at_which_nobody_answers_is_wrong_usage_at_once(scheme, monkeypatch):
    with socket.socket() as taken:  # bound, and not listening
        taken.bind(("127.0.0.1", 0))
        address = f"{scheme}127.0.0.1:{taken.getsockname()[1]}"
        monkeypatch.setenv("RAY_ADDRESS", address)
        monkeypatch.setattr(engine.ray, "is_initialized", lambda: False)
        monkeypatch.setattr(engine.ray, "init", lambda **_: pytest.fail("Ray was asked"))
        with pytest.raises(UsageError, match=f"nobody answers at {address}"):
            engine.started()


def test_what_went_wrong_on_a_worker_is_told_without_the_way_there():
    lost = RayError(
        "ray::Worker() died\n  File x\nscorer_core.errors.UsageError: model 'a:b' is unknown; forms:\n  NAME"
    )
    assert engine.reason(lost) == "model 'a:b' is unknown; forms:\n  NAME"
    tried = RayError(f"{lost}\n\nThe above exception was the cause of:\n\nray::Worker()\nUserCodeException: failed\n")
    assert engine.reason(tried) == engine.reason(lost)
    assert engine.reason(RayError("the node died\nout of memory\n")) == "out of memory"


def test_the_options_of_the_engine():
    assert ray_engine("") == RayEngine()
    assert ray_engine("workers=8,batch_size=100") == RayEngine(workers=8, batch_size=100)

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from scorer_core import UsageError
from scorer_runner.results.lock import alone, lock_of

HOLD = """
import sys, time
from pathlib import Path
from scorer_runner.results.lock import alone
with alone(Path("r.jsonl")):
    print("held", flush=True)
    time.sleep(60)
"""


def holding() -> subprocess.Popen[bytes]:
    """Another process that has the lock, until it is killed."""
    other = subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdout.readline().strip() == b"held"
    return other


def test_a_second_run_is_refused_and_told_which_process_has_the_file(folder: Path) -> None:
    with holding() as other:
        told = rf"'r\.jsonl' is written to by another run, process {other.pid}; wait until it is over"
        for _ in range(2):  # that of the first is not lost by asking
            with pytest.raises(UsageError, match=told), alone(Path("r.jsonl")):
                pass
        other.kill()


def test_the_lock_ends_with_its_process_however_that_ends(folder: Path) -> None:
    with holding() as other:
        other.kill()
    assert lock_of(Path("r.jsonl")).exists()
    with alone(Path("r.jsonl")):
        assert lock_of(Path("r.jsonl")).read_text() == str(os.getpid())
    assert list(folder.iterdir()) == []


def test_a_file_that_was_taken_away_in_between_is_no_lock(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scorer_runner.results import lock

    take, taken = lock._take, []

    def late(file: int) -> None:
        if not taken:
            lock_of(Path("r.jsonl")).unlink()  # as by the one who had it before
        taken.append(file)
        take(file)

    monkeypatch.setattr(lock, "_take", late)
    with alone(Path("r.jsonl")):
        assert len(taken) == 2
        assert os.path.samestat(os.fstat(taken[1]), os.stat(lock_of(Path("r.jsonl"))))


def test_a_link_and_the_file_that_it_leads_to_have_one_lock(folder: Path) -> None:
    Path("real.jsonl").touch()
    Path("link.jsonl").symlink_to("real.jsonl")
    assert lock_of(Path("link.jsonl")) == lock_of(Path("real.jsonl"))


def test_a_place_where_nothing_can_be_made_is_told(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"can't be written: .*choose another place with --out"), alone(Path("no/r")):
        pass


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_two_runs_never_write_to_one_file(
    scorer: Any, rows: Any, judged: Any, environ: Any, results: Any, folder: Path
) -> None:
    source = rows(*[{"output": "SLOW", "context": ["so"]}] * 4)
    command = [sys.executable, "-m", "scorer_runner", "run", source, *judged, "--out", "r.jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ) as running:
        end = time.monotonic() + 60
        while not Path("r.jsonl.run.json").exists() and time.monotonic() < end:
            time.sleep(0.02)
        told = scorer("run", source, *judged, "--out", "r.jsonl", "--resume")
        running.send_signal(signal.SIGKILL)
    assert told.code == 2
    assert f"process {running.pid}; wait until it is over" in told.err


def test_a_link_that_leads_back_to_itself_is_no_place_for_results(folder: Path) -> None:
    link = folder / "loop.jsonl"
    link.symlink_to(link.name)
    with pytest.raises(UsageError, match=r"loop\.jsonl' can't be written: .*; choose another place with --out"):
        lock_of(link)

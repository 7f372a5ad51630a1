from __future__ import annotations

import errno
import io
import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from scorer_core import RunResult, UsageError
from scorer_runner.results import journal as journals
from scorer_runner.results.journal import description_of, journal, place
from scorer_runner.results.writing import Unwritable, to_file


def result(**fields: Any) -> RunResult:
    who = {"scorer_id": "s", "scorer_label": "s", "scorer_version": "1", "core_version": "1", "higher_is": "better"}
    return RunResult(**{**who, "run_id": "r", "status": "not_scorable", **fields})


def test_each_line_carries_the_digest_of_the_description_beside_it(folder: Path) -> None:
    with journal(Path("r.jsonl"), {"model": "é"}) as write:
        write(result(output="łódź 你好"))
        assert json.loads(Path("r.jsonl").read_text("utf-8"))["output"] == "łódź 你好"  # flushed while the run goes on
    line = json.loads(Path("r.jsonl").read_text("utf-8"))
    beside = Path("r.jsonl.run.json").read_bytes()
    assert line["run"] == sha256(beside).hexdigest()
    assert json.loads(beside) == {"model": "é"}
    assert RunResult.from_dict(line) == result(output="łódź 你好")


def test_a_lone_surrogate_is_written_as_json(folder: Path) -> None:
    with journal(Path("r.jsonl"), {}) as write:
        write(result(output="\ud800"))
    assert json.loads(Path("r.jsonl").read_bytes())["output"] == "\ud800"


def test_a_file_that_is_there_is_never_written_over(folder: Path) -> None:
    Path("r.jsonl").write_text("mine")
    with (
        pytest.raises(UsageError, match=r"'r\.jsonl' is there already; choose another name"),
        journal(Path("r.jsonl"), {}),
    ):
        pass
    assert Path("r.jsonl").read_text() == "mine"
    with pytest.raises(UsageError, match="choose another name, or remove it"):
        place("r.jsonl")


def test_a_description_that_is_there_counts_too(folder: Path) -> None:
    description_of(Path("r.jsonl")).touch()
    with pytest.raises(UsageError, match=r"'r\.jsonl\.run\.json' is there already"):
        place("r.jsonl")


def test_without_a_name_the_first_free_one_is_taken(folder: Path) -> None:
    assert place(None) == Path("results.jsonl")
    Path("results.jsonl").touch()
    description_of(Path("results-2.jsonl")).touch()
    assert place(None) == Path("results-3.jsonl")


def test_a_folder_that_is_not_there_is_told(folder: Path) -> None:
    with pytest.raises(UsageError, match="no folder 'no/such'; make it first"):
        place("no/such/r.jsonl")


def test_a_folder_is_no_file(folder: Path) -> None:
    Path("there").mkdir()
    for resume in (False, True):
        with pytest.raises(UsageError, match=r"that is a folder; name a file: --out there/results\.jsonl"):
            place("there", resume=resume)
    assert list(Path("there").iterdir()) == []


class Full(io.FileIO):
    """A file on a disk with room for so many bytes."""

    room = 500

    def write(self, data: Any) -> int:
        if self.room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = super().write(bytes(data)[: self.room])
        self.room -= written
        return written


def test_on_a_full_disk_no_half_line_is_left(folder: Path) -> None:
    size = len(result().to_json()) + len(', "run": "x"}')
    with Full("r.jsonl", "wb") as file:
        file.room = 2 * size + 50
        write = to_file(file, Path("r.jsonl"), "x")
        write(result(run_id="a"))
        write(result(run_id="b"))
        for _ in range(2):
            with pytest.raises(Unwritable, match=r"'r\.jsonl' can't be written: No space left on device"):
                write(result(run_id="c"))
        file.room = 10_000
        write(result(run_id="d"))
    assert [json.loads(line)["run_id"] for line in Path("r.jsonl").read_text().splitlines()] == ["a", "b", "d"]


def test_where_there_is_no_room_for_the_description_nothing_is_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(path: Path, over: bool) -> io.FileIO:
        file = Full(path, "wb")
        file.room = 0
        return file

    monkeypatch.setattr(journals, "_made", made)
    with pytest.raises(UsageError, match="can't be written: No space left on device"), journal(Path("r.jsonl"), {}):
        pass
    assert list(folder.iterdir()) == []

"""The target of a run: found by its name, and asked once for each row, also where the run is stopped and goes on."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from scorer_core import Run, StepRun, TargetResult, UsageError
from scorer_core.contract.plain import plain
from scorer_core.evaluating.scoring import Needed
from scorer_core.evaluating.turns import Answer, answer_of
from scorer_core.runs.rows import Row

from ..ordering.models import look_here_too

_NOBODY = Run()


def find_target(text: str) -> Answer:
    """A function that gives what the target `python:module:attribute` gives for a row.

    Raises:
        UsageError: there is no such module or attribute, or it is no target.
    """
    kind, _, path = text.partition(":")
    module, _, attribute = path.partition(":")
    if kind != "python" or not module or not attribute:
        raise UsageError(f"--target {text}: expected python:module:attribute, a function, a Runnable or a graph")
    look_here_too()
    try:
        with redirect_stdout(sys.stderr):  # what is printed on import is no result of ours
            found = import_module(module)
        return answer_of(getattr(found, attribute))
    except UsageError as e:
        raise UsageError(f"--target {text}: {e}") from e
    except (Exception, SystemExit) as e:
        raise UsageError(f"--target {text}: {type(e).__name__}: {e}") from e


def answers_of(path: Path) -> Path:
    """The file beside the results that holds what the target gave."""
    return path.with_name(f"{path.name}.targets.jsonl")


def free(path: Path) -> None:
    """Nothing, if no answers stand beside results that are still to be made.

    Raises:
        UsageError: some do, as of a run whose results were removed.
    """
    if (beside := answers_of(path)).exists():
        raise UsageError(f"--out {path}: {str(beside)!r} is there already; choose another name, or remove it")


@contextmanager
def asked_once(
    answer: Answer, path: Path, needed: Needed | None, *, placed: bool = True, over: bool = False
) -> Iterator[Answer]:
    """`answer`, kept so that it asks for no row twice: what it gives is in a file as soon as it is there.

    Args:
        answer: Asks the target.
        path: The results; the file stands beside them.
        needed: What an earlier run that goes on still needs; None where there is none.
        placed: Whether a row is known by its place, see `Earlier`.
        over: Whether the file of an earlier run that never began is written over.

    Raises:
        UsageError: the file is there already, or can't be read or made.
    """
    beside = answers_of(path)
    try:
        kept = _kept(beside, needed, placed) if needed and beside.exists() else {}
        file = open(beside, "ab" if needed else "wb" if over else "xb", buffering=0)  # noqa: SIM115
    except FileExistsError as e:
        raise UsageError(f"{str(beside)!r} is there already; choose another name with --out, or remove it") from e
    except OSError as e:
        raise UsageError(f"{str(beside)!r} can't be written: {e.strerror}; choose another place with --out") from e

    async def once(row: Row) -> TargetResult:
        if (where := kept.get(_key(row, placed))) is not None:
            return _result(_line_at(beside, where)["gave"])
        told = {"index": row.index, "row_id": row.row_id, "repeat": row.repeat, "gave": plain(await answer(row))}
        _append(file, f"{json.dumps(told, allow_nan=False)}\n".encode())
        return _result(told["gave"])

    with file:
        yield once


def _kept(beside: Path, needed: Needed, placed: bool) -> dict[Any, int]:
    """Where the answers stand whose rows some scorer still needs; a line that is not whole is cut off."""
    found: dict[Any, int] = {}
    at = 0
    with open(beside, "rb") as file:
        for raw in file:
            if not raw.endswith(b"\n"):
                break
            told = _told(raw, beside)
            row = Row(index=told["index"], given=None, run=_NOBODY, row_id=told["row_id"], repeat=told["repeat"])
            if needed(row):
                found[_key(row, placed)] = at
            at += len(raw)
    os.truncate(beside, at)
    return found


def _told(raw: bytes, beside: Path) -> Mapping[str, Any]:
    try:
        told = json.loads(raw)
        return {name: told[name] for name in ("index", "row_id", "repeat", "gave")}
    except (ValueError, LookupError, TypeError, RecursionError) as e:
        raise UsageError(f"--resume: {str(beside)!r} holds a line that is no answer of a target: {raw[:80]!r}") from e


def _line_at(beside: Path, where: int) -> Mapping[str, Any]:
    with open(beside, "rb") as file:
        file.seek(where)
        return _told(file.readline(), beside)


def _key(row: Row, placed: bool) -> Any:
    """How a row is known again: by its place, if that holds, its id and its repeat."""
    return row.index if placed or row.row_id is None else None, row.row_id, row.repeat


def _append(file: BinaryIO, line: bytes) -> None:
    """Put a whole line to the end of an unbuffered file, or nothing."""
    whole, left = os.fstat(file.fileno()).st_size, memoryview(line)
    try:
        while left:
            left = left[file.write(left) :]
    except OSError:
        file.truncate(whole)
        raise


def _result(told: Mapping[str, Any]) -> TargetResult:
    """What a target gave, from its JSON."""
    steps, turns = [StepRun(**step) for step in told["steps"]], [_result(turn) for turn in told["turns"]]
    return TargetResult(**{**told, "steps": steps, "turns": turns})

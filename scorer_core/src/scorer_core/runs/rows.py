"""Rows, as users have them, as runs."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from hashlib import sha256
from typing import Any

import attrs
from attrs import frozen

from ..contract.errors import Failed
from ..contract.plain import plain
from ..contract.schema import Run
from ..support.digests import Occurrences

_CONTENT = tuple(a.name for a in attrs.fields(Run) if a.name != "run_id")
_sorted = json.JSONEncoder(sort_keys=True)
_FIELDS = {a.name: a.name for a in attrs.fields(Run)} | {"groundTruth": "ground_truth", "runId": "run_id"}


def run_of(given: Any) -> tuple[Run, str | None]:
    """The run that a row is, and the id it names.

    Raises:
        Failed: the row is no mapping (kind `bad_row`), or is itself the failure of whoever read it.
    """
    if isinstance(given, Failed):
        raise given
    if isinstance(given, Run):
        return given, None
    if not isinstance(given, Mapping):
        raise Failed("bad_row", f"expected a mapping with a run's fields, got {given!r}")
    named = {_FIELDS[k]: v for k, v in given.items() if k in _FIELDS}
    rest = {k: v for k, v in given.items() if k not in _FIELDS and k != "id"}
    if "expectedTrajectory" in rest:
        rest["expected_trajectory"] = rest.pop("expectedTrajectory")
    named["metadata"] = _metadata(named.get("metadata"), rest)
    return Run(**named), None if given.get("id") is None else str(given["id"])


def _metadata(told: Any, rest: dict[str, Any]) -> Mapping[str, Any]:
    """What a row brings as its metadata, and all of it that is no field of a run."""
    if told is None:
        return rest
    if not isinstance(told, Mapping):
        return {**rest, "metadata": told}
    return {**rest, **told} if rest else told


def digest(run: Run, seen: Occurrences) -> str:
    """A digest of the run's content, and how often it came up to now."""
    content = {name: plain(getattr(run, name)) for name in _CONTENT}
    made = sha256(_sorted.encode(content).encode()).digest()[:8]
    return f"{made.hex()}-{seen.add(made)}"


@frozen(kw_only=True)
class Row:
    """A row as it was read.

    Args:
        index: Its place in the data, from 0.
        given: The row as it was given.
        run: The run that it is; an empty one where it can't be read.
        row_id: Its id, or a digest of its content and how often that came; None where it can't be read.
        repeat: Which repeat of it this is, from 1; None where there is but one.
        problem: Why it can't be read.
    """

    index: int
    given: Any
    run: Run
    row_id: str | None = None
    repeat: int | None = None
    problem: Failed | None = None


async def read_rows(numbered: AsyncIterator[tuple[int, Any]], repeats: int) -> AsyncIterator[tuple[int, Row]]:
    """Each row as it is read, with its number, so often as it is to be repeated."""
    seen = Occurrences()
    async for index, given in numbered:
        row = row_of(index, given, seen)
        for n in range(1, repeats + 1):
            yield index, row if repeats == 1 else attrs.evolve(row, repeat=n)


def row_of(index: int, given: Any, seen: Occurrences) -> Row:
    """A row as it is read; `seen` counts the contents up to it."""
    try:
        run, row_id = run_of(given)
    except Failed as e:
        return Row(index=index, given=given, run=Run(), problem=e)
    return Row(index=index, given=given, run=run, row_id=row_id or digest(run, seen))

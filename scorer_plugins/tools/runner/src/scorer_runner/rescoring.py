"""Scoring anew what a file of results holds: its rows again, and what their judges found where that still holds."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
from attrs import evolve, frozen

from scorer_core import Ask, ScorerSpec, Trail, UsageError
from scorer_core.exact import strict
from scorer_core.joining import item_texts
from scorer_core.spec import Step
from scorer_core.start import ground_truths

AnySpec = ScorerSpec[Any, Any]
STEPS_STORED: tuple[Step, ...] = ("preprocess", "analyze")
_ROW = ("input", "output", "context", "ground_truth")
_NO_RESULT = "expected a file of results, as scorer run writes them"


class Found(dict[str, Any]):
    """The metadata of a row that remembers what steps came to in an earlier run, by scorer id and step."""

    steps: Mapping[str, Mapping[str, Any]]


@frozen
class Places:
    """Where the results of each row stand in a file, in the order of the rows; 16 bytes a line are kept."""

    path: Path
    indices: array[int]
    offsets: array[int]

    def rows(self) -> Iterator[list[dict[str, Any]]]:
        """The results of one row after the other."""
        order = sorted(range(len(self.indices)), key=self.indices.__getitem__)
        with open(self.path, "rb") as file:
            row: list[dict[str, Any]] = []
            for place in order:
                file.seek(self.offsets[place])
                result = json.loads(file.readline())
                if row and row[0]["index"] != result["index"]:
                    yield row
                    row = []
                row.append(result)
            if row:
                yield row


def places(path: Path) -> Places:
    """Where the results in `path` are.

    Raises:
        UsageError: it can't be read, or a line is no result that its row can be scored by.
    """
    found = Places(path, array("q"), array("q"))
    at = 0
    try:
        with open(path, "rb") as file:
            for number, raw in enumerate(file, 1):
                found.indices.append(_index(raw, f"{path}, line {number}"))
                found.offsets.append(at)
                at += len(raw)
    except OSError as e:
        raise UsageError(f"{str(path)!r} can't be read: {e.strerror}") from e
    if not at:
        raise UsageError(f"no results in {str(path)!r}")
    return found


def _index(raw: bytes, where: str) -> int:
    try:
        result = json.loads(raw)
    except (ValueError, RecursionError) as e:
        raise UsageError(f"{where}: not JSON: {e}; {_NO_RESULT}") from e
    if not isinstance(result, Mapping) or not {"scorer_id", "index", *_ROW} <= result.keys():
        raise UsageError(f"{where}: not a result; {_NO_RESULT}")
    return int(result["index"] or 0)


def row_again(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The row that these are results of, with what their steps came to."""
    first = results[0]
    metadata = Found(first.get("metadata") or {})
    metadata.steps = {
        r["scorer_id"]: {step: r.get(f"{step}_step_result") for step in STEPS_STORED} for r in reversed(results)
    }
    given = {name: first[name] for name in _ROW}
    return {"id": first.get("row_id"), "run_id": first.get("run_id"), **given, "metadata": metadata}


def begun_at(spec: AnySpec, step: str) -> AnySpec:
    """`spec` with the steps before `step` taken from the earlier run of each row, asked anew where they are not there.

    Raises:
        UsageError: there is nothing that this scorer would be spared.
    """
    spared = [before for before in STEPS_STORED[: 1 if step == "analyze" else 2] if before in spec.asks]
    if not spared:
        raise UsageError(f"--from-step {step}: {spec.id} asks its judge nothing before that; leave it out")
    changed: dict[str, Any] = {before: _remembered(spec, before) for before in spared}
    return evolve(spec, **changed)


def _remembered(spec: AnySpec, step: Step) -> Ask[Any]:
    ask = spec.asks[step]

    def unless(trail: Trail[Any, Any]) -> Any:
        ready = ask.unless(trail) if ask.unless else None
        if ready is not None:
            return ready
        value = _stored(spec, step, trail)
        trail.note(f"{step}: {'nothing that fits was stored; asked anew' if value is None else 'as stored'}")
        return value

    return evolve(ask, unless=unless)


def _stored(spec: AnySpec, step: Step, trail: Trail[Any, Any]) -> Any:
    """What the step came to, if it is known, and is about the items that there are now."""
    if len(ground_truths(trail.run.ground_truth)) > 1:
        return None  # that of the best one alone was stored
    ask, steps = spec.asks[step], getattr(trail.run.metadata, "steps", {}).get(spec.id, {})
    value = read_stored(ask, steps.get(step))
    if value is not None and ask.each and item_texts(value) != ask.items(trail):
        return None
    return value


def read_stored(ask: Ask[Any], stored: Any) -> Any:
    """The reply that `stored`, a step's result as shown, was made from; None where it does not fit."""
    names = [a.name for a in attrs.fields(ask.reply)] if attrs.has(ask.reply) else []
    shown = ask.shows or (names[0] if len(names) == 1 and isinstance(stored, list) else None)
    try:
        return strict.structure({shown: stored} if shown else stored, ask.reply)
    except Exception:
        return None

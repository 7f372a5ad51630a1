"""Rows scored side by side: a target asked where there is one, then every scorer; one bad row never ends it."""

from __future__ import annotations

import asyncio
import contextvars
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from ..contract.errors import STOP_KINDS, Failed, UsageError
from ..contract.schema import ErrorInfo, RunResult
from ..judging.budget import Budget
from ..judging.flight import Flight
from ..judging.in_flight import calls_in_flight
from ..judging.judge import Judge
from ..judging.sharing import Sharing, sharing
from ..runs.rows import Row, read_rows
from ..runs.tables import rows_of
from ..scorer import Scorer
from ..support.background import all_of, contained
from .places import Part, Placed, Scorers, labels_of, parts_of, placed
from .side_by_side import completed, numbered
from .targets import TargetResult, lost
from .turns import Answer

Needed = Callable[[Row], Sequence[Scorer]]
Own = Callable[[str, Row], Mapping[str, Any]]


@frozen
class Item:
    """What came of one row: the row as given, what the target gave for it, and a result a label.

    `cut` tells that the run was stopped before all was done: results that were cut off are not there.
    """

    index: int
    given: Any
    target_result: TargetResult | None
    results: Mapping[str, RunResult]
    repeat: int | None = None
    cut: bool = False

    @property
    def stop(self) -> ErrorInfo | None:
        """The error for which all further rows would fail alike."""
        return next((r.error for r in self.results.values() if r.error and r.error.kind in STOP_KINDS), None)


def score_rows(
    data: Iterable[Any] | AsyncIterable[Any],
    scorers: Scorers,
    *,
    answer: Answer | None = None,
    flight: Flight,
    repeats: int = 1,
    scorers_of: Needed | None = None,
    own: Own = lambda label, row: {},
) -> AsyncGenerator[Item]:
    """The items of `data` as they complete; read as they are consumed, and no further once a run-wide error came.

    `flight` says how many rows and calls may be under way, and can be stopped: what is complete then is still given.
    `answer` gives what a target gives for a row, see `answer_of`; None: outputs are logged ones. `scorers_of` tells
    which scorers a row still needs; one that needs none is passed over: it has no results, and no target is asked.
    `own` gives the fields of a run that a scorer, by its label, reads otherwise from a row than the others do, or that
    one repeat of a row has otherwise.
    """
    check_whole("repeats", repeats)
    places = placed(scorers)
    asking: defaultdict[Any, dict[Any, asyncio.Future[Any]]] = defaultdict(dict)
    again = [[_for_repeat(p, n) for p in places] for n in range(1, repeats + 1)]

    async def score(_: int, row: Row) -> Item:
        outside = contextvars.copy_context() if answer else None
        calls_in_flight.set(flight)
        sharing.set(Sharing(asking[row.repeat]))
        here = again[(row.repeat or 1) - 1]
        labels = None if scorers_of is None else {s.label for s in scorers_of(row)}
        return _whole(await _item(row, [p for p in here if labels is None or p.label in labels], own, answer, outside))

    flight.start()
    rows, most = read_rows(numbered(rows_of(data)), repeats), flight.concurrency
    return completed(rows, score, most=most, last=lambda item: item.stop, halted=flight.halted)


def _whole(item: Item) -> Item:
    """The item without results that were cut off."""
    whole = {label: r for label, r in item.results.items() if not (r.error and r.error.kind == "budget")}
    return item if len(whole) == len(item.results) else evolve(item, results=whole, cut=True)


def check_whole(name: str, value: Any) -> None:
    """Nothing, if `value` is a whole number of 1 or more.

    Raises:
        UsageError: it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UsageError(f"{name}: expected a whole number of 1 or more, got {value!r}")


def check_budget(budget: Budget, scorers: Iterable[Scorer]) -> None:
    """Nothing, if it can be told whether `budget` is spent.

    Raises:
        UsageError: it limits the cost, and the price of a judge's model is not known.
    """
    judges = [j for s in scorers for j in (s.judge, *s.judges.values()) if j]
    unknown = dict.fromkeys(repr(j.name) for j in judges if j.name not in j.prices)
    if budget.max_cost is not None and unknown:
        raise UsageError(
            f"max_cost: what calls of {', '.join(unknown)} cost is not known; give a price table that has it: "
            "--prices FILE, or Judge(model, prices=...)"
        )


def _for_repeat(place: Placed, repeat: int) -> Placed:
    """The scorer for one repeat, whose judges take no reply from the cache that another repeat was given."""
    if repeat == 1:
        return place
    judge, judges = place.scorer.judge, place.scorer.judges
    told: Any = {step: _judge_again(j, repeat) for step, j in judges.items()}
    return evolve(place, scorer=evolve(place.scorer, judge=judge and _judge_again(judge, repeat), judges=told))


def _judge_again(judge: Judge, repeat: int) -> Judge:
    cache = judge.cache
    return evolve(judge, cache=evolve(cache, repeat=cache.repeat + repeat - 1)) if cache else judge


async def _item(
    row: Row, places: Sequence[Placed], own: Own, answer: Answer | None, outside: contextvars.Context | None
) -> Item:
    if not places:
        return Item(row.index, row.given, None, {}, row.repeat)
    given = None
    try:
        if row.problem:
            raise row.problem
        given = await apart(answer, row, outside) if answer else None
        read = [(p, evolve(row.run, **fields) if (fields := own(p.label, row)) else row.run) for p in places]
        parts = [(p.scorer, part) for p, run in read for part in parts_of(p, run, given)]
    except Exception as e:
        run = evolve(row.run, output=None) if answer else row.run
        parts = [(p.scorer, Part(label, run, lost(e))) for p in places for label in labels_of(p, row.run)]
    results = await all_of([_scored(scorer, part, row) for scorer, part in parts])
    return Item(row.index, row.given, given, {r.scorer_label: r for r in results}, row.repeat)


def _scored(scorer: Scorer, part: Part, row: Row) -> Coroutine[Any, Any, RunResult]:
    place = {"index": row.index, "row_id": row.row_id, "repeat": row.repeat}
    return scorer.result_of(part.run, lacks=part.lacks, label=part.label, notes=part.notes, **place)


async def apart(answer: Answer, row: Row, outside: contextvars.Context | None) -> TargetResult:
    """What a target gives, had in the caller's own context: it sees nothing of the judge's, nor the judge of it.

    Raises:
        Failed: it cancelled itself.
    """
    task = asyncio.get_running_loop().create_task(contained(answer(row)), context=outside)
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        raise
    if task.cancelled():
        raise Failed("target_error", "the target was cancelled from within")
    return task.result()

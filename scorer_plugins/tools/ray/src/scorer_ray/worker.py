"""A worker: rows in, a table of results out, with so many calls in flight."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from functools import cached_property
from typing import Any

import attrs
import pyarrow as pa
from attrs import evolve, frozen

from scorer_core import RunResult, Scorer, TargetResult, UsageError
from scorer_core.contract.errors import Failed
from scorer_core.evaluating.scoring import Item, Needed, score_rows
from scorer_core.evaluating.turns import Answer
from scorer_core.judging.flight import Flight
from scorer_core.runs import rows as read
from scorer_core.support.background import run_here
from scorer_runner.reading.rows import own_of
from scorer_runner.results.parquet import table_of

from .making import Making
from .purse import Shared
from .rows import Row, rows_of


class Worker:
    """The callable class that Ray Data makes in each of its actors.

    Args:
        making: How the scorers are made, once a worker.
        concurrency: Judge calls in flight.
        index: The column that holds a row's place in the data.
        repeats: How often each row is done.
        raises: Whether an error for which all further rows would fail alike (auth, quota, ...) is raised; if not, the
            worker begins no more rows, and these have no results.
        purse: What all workers together may take, see `Purse`; None where each goes on to its end.
        counted: Whether calls are taken from it one by one.
    """

    def __init__(
        self,
        making: Making,
        *,
        concurrency: int,
        index: str | None = None,
        repeats: int = 1,
        raises: bool = True,
        purse: Any = None,
        counted: bool = False,
    ) -> None:
        self.making = making
        self.concurrency, self.index, self.repeats, self.raises = concurrency, index, repeats, raises
        self.purse, self.counted = purse, counted
        self.all_stopped = purse and purse.stopped.remote()
        self.stopped = False

    @cached_property
    def scorers(self) -> Sequence[Scorer]:
        """Made with the first batch: what goes wrong while an actor is made, Ray shows in full and tries again."""
        return self.making.on_a_worker()

    def __call__(self, batch: pa.Table) -> pa.Table:
        rows = [] if self.stopped else rows_of(batch, self.index)
        return table_of([_line(told) for told in run_here(self._scored(rows), "Worker._scored")])

    async def _scored(self, rows: Sequence[Row]) -> list[RunResult | Cut]:
        """The results of the rows, in their order, so that a batch that is done again gives the same rows."""
        async with self._flight() as flight:
            answer = self._answer(rows) if any(row.gave for row in rows) else None
            how: Any = {"answer": answer, "repeats": self.repeats, "own": own_of, "flight": flight}
            scored = score_rows([row.given for row in rows], self.scorers, scorers_of=self._needed(rows), **how)
            items = list[Item]()
            async with aclosing(scored) as done:
                async for item in done:
                    if item.stop and self.raises:
                        raise UsageError(f"stopped: {item.stop.kind}: {item.stop.message}")
                    self.stopped = self.stopped or item.stop is not None
                    items.append(item)
            self.stopped = self.stopped or bool(flight.stopped)
        items.sort(key=lambda item: (item.index, item.repeat or 1))
        return [told for item in items for told in _of(item, rows[item.index])]

    @asynccontextmanager
    async def _flight(self) -> AsyncIterator[Flight]:
        """The calls of a batch; they stop where those of all workers do."""
        if self.purse is None:
            yield Flight(self.concurrency)
            return
        flight = Shared(self.concurrency, purse=self.purse, counted=self.counted)
        watching = asyncio.create_task(flight.stop_with_all(self.all_stopped))
        try:
            yield flight
        finally:
            watching.cancel()

    def _needed(self, rows: Sequence[Row]) -> Needed:
        def needed(row: read.Row) -> Sequence[Scorer]:
            labels = rows[row.index].labels
            here = labels and labels[(row.repeat or 1) - 1]
            return self.scorers if labels is None else [s for s in self.scorers if s.label in (here or ())]

        return needed

    def _answer(self, rows: Sequence[Row]) -> Answer:
        async def answer(row: read.Row) -> TargetResult:
            """What the target gave before rows went out."""
            gave = (rows[row.index].gave or ())[(row.repeat or 1) - 1]
            if isinstance(gave, Failed):
                raise gave
            assert gave is not None
            return gave

        return answer


@frozen
class Cut:
    """A row of which not all is done, as the run was stopped."""

    index: int | None
    row_id: str | None
    repeat: int | None


def _of(item: Item, row: Row) -> Iterator[RunResult | Cut]:
    for result in item.results.values():
        yield evolve(result, index=row.index, row_id=row.row_id or result.row_id)
    if item.cut:
        yield Cut(row.index, row.row_id, item.repeat)


def _line(told: RunResult | Cut) -> str:
    return told.to_json() if isinstance(told, RunResult) else json.dumps(attrs.asdict(told))

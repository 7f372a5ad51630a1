"""A worker: rows in, a table of results out, with so many calls in flight."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

import pyarrow as pa
from attrs import evolve

from scorer_core import RunResult, Scorer, UsageError
from scorer_core.evaluating.scoring import Item, score_rows
from scorer_core.judging.flight import Flight
from scorer_core.runs import rows as read
from scorer_core.support.background import run_here

from .making import Making
from .rows import Row, rows_of

RESULTS = pa.schema(
    [
        ("index", pa.int64()),
        ("row_id", pa.string()),
        ("run_id", pa.string()),
        ("scorer_label", pa.string()),
        ("status", pa.string()),
        ("score", pa.float64()),
        ("band", pa.string()),
        ("vacuous", pa.bool_()),
        ("reason", pa.string()),
        ("error_kind", pa.string()),
        ("result", pa.large_string()),
    ]
)


class Worker:
    """The callable class that Ray Data makes in each of its actors.

    Args:
        making: How the scorers are made, once a worker.
        concurrency: Judge calls in flight.
        index: The column that holds a row's place in the data.
        raises: Whether an error for which all further rows would fail alike (auth, quota, ...) is raised; if not, the
            worker begins no more rows, and these have no results.
    """

    def __init__(self, making: Making, *, concurrency: int, index: str | None = None, raises: bool = True) -> None:
        self.scorers: Sequence[Scorer] = making.on_a_worker()
        self.concurrency, self.index, self.raises = concurrency, index, raises
        self.stopped = False

    def __call__(self, batch: pa.Table) -> pa.Table:
        rows = [] if self.stopped else rows_of(batch, self.index)
        return table_of(run_here(self._scored(rows), "Worker._scored"))

    async def _scored(self, rows: Sequence[Row]) -> list[RunResult]:
        """The results of the rows, in their order, so that a batch that is done again gives the same rows."""

        def needed(row: read.Row) -> Sequence[Scorer]:
            labels = rows[row.index].labels
            return self.scorers if labels is None else [s for s in self.scorers if s.label in labels]

        given, items = [row.given for row in rows], list[Item]()
        scored = score_rows(given, self.scorers, flight=Flight(self.concurrency), scorers_of=needed)
        async with aclosing(scored) as done:
            async for item in done:
                if item.stop and self.raises:
                    raise UsageError(f"stopped: {item.stop.kind}: {item.stop.message}")
                self.stopped = self.stopped or item.stop is not None
                items.append(item)
        items.sort(key=lambda item: item.index)
        return [_placed(result, rows[item.index]) for item in items for result in item.results.values()]


def _placed(result: RunResult, row: Row) -> RunResult:
    return evolve(result, index=row.index, row_id=row.row_id or result.row_id)


def table_of(results: Sequence[RunResult]) -> pa.Table:
    """A row a result: what one filters and sums by, and the whole as a line of JSON."""
    return pa.Table.from_pylist([_columns(result) for result in results], schema=RESULTS)


def _columns(result: RunResult) -> dict[str, Any]:
    told = {name: getattr(result, name, None) for name in RESULTS.names}
    shown = {name: _without_surrogates(v) if isinstance(v, str) else v for name, v in told.items()}
    return shown | {"error_kind": result.error.kind if result.error else None, "result": result.to_json()}


def _without_surrogates(text: str) -> str:
    """Arrow takes no lone surrogates; in `result` they are escaped."""
    return text.encode(errors="replace").decode()

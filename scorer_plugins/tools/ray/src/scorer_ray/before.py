"""Before rows go out: which of them still need something, and what the target gives for these, asked here."""

from __future__ import annotations

import contextvars
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, MutableSequence
from contextlib import aclosing

from attrs import evolve

from scorer_core import TargetResult
from scorer_core.contract.errors import Failed
from scorer_core.evaluating.scoring import apart
from scorer_core.evaluating.side_by_side import completed, numbered
from scorer_core.evaluating.targets import lost
from scorer_core.evaluating.turns import Answer
from scorer_core.judging.flight import Flight
from scorer_core.runs.rows import Row as Read

from .rows import Row, repeats_of


def left(rows: Iterable[tuple[Row, Read]], passed: MutableSequence[int]) -> Iterator[tuple[Row, Read]]:
    """The rows that still need something; the places of repeats that need nothing go to `passed`."""
    for row, read in rows:
        done = [labels for labels in row.labels or () if not labels]
        passed.extend([row.index or 0] * len(done))
        if row.labels is None or len(done) < len(row.labels):
            yield row, read


async def answered(
    rows: AsyncIterator[tuple[Row, Read]], answer: Answer, repeats: int, flight: Flight
) -> AsyncGenerator[Row]:
    """The rows with what the target gave for each repeat that needs something, as they are answered."""
    outside = contextvars.copy_context()

    async def ask(_: int, pair: tuple[Row, Read]) -> Row:
        row, read = pair
        gave = list[TargetResult | Failed | None]()
        for n, one in enumerate(repeats_of(read, repeats)):
            needs = row.labels is None or row.labels[n]
            gave.append(await _given(answer, one, outside) if needs else None)
        return evolve(row, gave=gave)

    made = completed(numbered(rows), ask, most=flight.concurrency, last=lambda _: False, halted=flight.halted)
    async with aclosing(made) as done:
        async for row in done:
            yield row


async def _given(answer: Answer, row: Read, outside: contextvars.Context) -> TargetResult | Failed:
    if row.problem:
        return row.problem
    try:
        return await apart(answer, row, outside)
    except Exception as e:
        return lost(e)

"""Engines: what scores the rows of a run. `local` is this process; others come by an entry-point group.

An entry point of `scorer_runner.engines` is a function of the text after the first colon that makes an `Engine`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Any, TypeVar

from attrs import frozen

from scorer_core import UsageError
from scorer_core.contract.settings import suggestion
from scorer_core.evaluating.scoring import Item, Needed, score_rows
from scorer_core.evaluating.turns import Answer
from scorer_core.judging.flight import Flight
from scorer_core.plugins import installed, load

from ..ordering.order import Order
from ..reading.rows import own_of
from .plan import Engine, Plan

ENGINES, LOCAL = "scorer_runner.engines", "local"
T = TypeVar("T")


@frozen
class Local:
    """Rows side by side in this process."""

    def check(self, order: Order) -> None:
        """It can do all."""

    def items(self, plan: Plan, flight: Flight, needed: Needed | None, answer: Answer | None) -> AsyncGenerator[Item]:
        """See `Engine`."""
        rows = plan.rows if plan.total is not None else in_a_thread(plan.rows)
        how: Any = {"repeats": plan.order.repeats, "own": own_of}
        return score_rows(rows, plan.scorers, answer=answer, flight=flight, scorers_of=needed, **how)


def engine_of(order: Order) -> Engine:
    """The engine asked for, which can do what is asked for.

    Raises:
        UsageError: it is not installed (with the pip command), takes other options, or can't do some of the order.
    """
    name, _, told = order.engine.partition(":")
    known = [LOCAL, *installed(ENGINES)]
    if name not in known:
        have = f"{suggestion(name, known)} (have: {', '.join(known)})"
        raise UsageError(f"--engine: no engine {name!r} is installed{have}; try: pip install scorer-{name}")
    if name == LOCAL and told:
        raise UsageError(f"--engine {order.engine!r}: {LOCAL} takes no options")
    engine: Engine = Local() if name == LOCAL else load(ENGINES, name)(told)
    engine.check(order)
    return engine


async def in_a_thread(values: Iterator[T]) -> AsyncIterator[T]:
    """Values that may take a while to come: meanwhile the loop does other things."""
    end: Any = object()
    while (value := await asyncio.to_thread(next, values, end)) is not end:
        yield value

"""The run itself: rows through the scorers, each result written as it comes, and what they all come to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager

from attrs import evolve, frozen

from scorer_core.contract.errors import STOP_KINDS
from scorer_core.evaluating.scoring import Needed
from scorer_core.evaluating.turns import Answer
from scorer_core.judging.flight import Flight
from scorer_core.support.background import DaemonThreads, Interrupted

from ..planning.plan import Plan
from ..reading.looking import up_to_a_break
from ..results.store import stored
from ..results.tally import Tally
from ..results.writing import Write
from ..terminal.figures import many
from .stopping import stopped_by_signals


@frozen
class Watch:
    """What shows how far a run is.

    Args:
        every: How many seconds pass between two showings.
        show: Called to show it.
        last: Whether it is called once more in the end.
    """

    every: float
    show: Callable[[Tally, Flight], None]
    last: bool = False


async def score_all(
    plan: Plan,
    write: Write,
    tally: Tally,
    *,
    watch: Watch | None = None,
    needed: Needed | None = None,
    answer: Answer | None = None,
) -> None:
    """Score the rows of `plan`, all or what is `needed`; results are written, then counted, as a row completes.

    Where rows can't be read on, as those of a stream that was cut off, the run stops after those before.

    Raises:
        KeyboardInterrupt: the run was interrupted; what was complete by then is written.
    """
    asyncio.get_running_loop().set_default_executor(DaemonThreads())
    flight, broken = Flight(plan.order.concurrency, plan.budget), list[str]()
    plan = evolve(plan, data=evolve(plan.data, rows=up_to_a_break(plan.rows, broken)))
    scored = plan.engine.items(plan, flight, needed, answer)
    with stopped_by_signals(flight) as interrupted:
        async with aclosing(scored) as items, _watched(watch, tally, flight):
            async for item in items:
                for result in item.results.values():
                    if not (result.error and result.error.kind in STOP_KINDS):  # to be done when the run goes on
                        write(stored(result, plan.order.store))
                        tally.count(result)
                tally.over(item)
    if interrupted():
        raise Interrupted
    tally.stopped = tally.stopped or "".join(broken)
    tally.begun = flight.calls if tally.stopped or flight.stopped else 0
    if flight.stopped and not tally.stopped:
        tally.stopped = f"budget: {flight.stopped} after {many(flight.calls, 'call')}"


@asynccontextmanager
async def _watched(watch: Watch | None, tally: Tally, flight: Flight) -> AsyncIterator[None]:
    """Meanwhile it is shown how far the run is."""
    if watch is None:
        yield
        return

    async def now_and_then(watch: Watch) -> None:
        while await asyncio.sleep(watch.every, result=True):
            watch.show(tally, flight)

    showing = asyncio.create_task(now_and_then(watch))
    try:
        yield
    finally:
        showing.cancel()
        if watch.last:
            watch.show(tally, flight)

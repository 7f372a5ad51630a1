"""The engine `ray` of `scorer run`: rows go out to Ray's workers, results come back to the one writer of the run."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import threading
from array import array
from collections.abc import AsyncGenerator, Iterator, MutableSequence, Sequence
from contextlib import aclosing, contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any

import attrs
import pyarrow as pa
import ray
import ray.data
from attrs import frozen
from ray._private import auto_init_hook
from ray.exceptions import RayError

from scorer_core import RunResult, UsageError
from scorer_core.evaluating.scoring import Item, Needed
from scorer_core.evaluating.side_by_side import MOST_AFTER
from scorer_core.evaluating.turns import Answer
from scorer_core.judging.budget import GRACE, Budget
from scorer_core.judging.flight import Flight
from scorer_core.judging.spent import Spent
from scorer_runner.ordering.order import Order
from scorer_runner.ordering.values import named
from scorer_runner.planning.engines import in_a_thread
from scorer_runner.planning.plan import Plan
from scorer_runner.running.stopping import INTERRUPTED
from scorer_runner.terminal.console import say

from .before import answered, left
from .dataset import WAVES, check_numbers, dataset_of, scored_by
from .making import Making
from .purse import purse_of
from .rows import Row, placed, table_of, tables

if TYPE_CHECKING:
    from ray.data import Dataset

ANSWERS = 10.0  # seconds that a cluster has to answer
SHARE = 4  # batches that each worker gets at least, where there are enough rows


@frozen(kw_only=True)
class RayEngine:
    """So many workers, on this machine or on the cluster that RAY_ADDRESS names.

    Args:
        workers: How many there are, each with the order's `concurrency`.
        batch_size: Rows that a worker gets at a time.
    """

    workers: int = 2
    batch_size: int | None = None

    def check(self, order: Order) -> None:
        """See `Engine`."""
        if "-" in order.data:
            raise UsageError("--engine ray reads all data before it begins, and a stream may have no end; name a file")
        if order.out == "-":
            raise UsageError("--engine ray: Ray writes to standard output, too, so results can't go there; --out FILE")

    async def items(
        self, plan: Plan, flight: Flight, needed: Needed | None, answer: Answer | None
    ) -> AsyncGenerator[Item]:
        """See `Engine`; a target is asked here, before rows go out, and rows that need nothing are told first."""
        flight.start()
        begun = started()
        try:
            passed, blocks = array("q"), list[Any]()
            async with aclosing(self._blocks(plan, flight, needed, answer, passed)) as made:
                blocks = [ray.put(table) async for table in made]
            for index in passed:
                yield Item(index, None, None, {})
            if blocks and not flight.stopped:
                async with aclosing(self._scored(plan, flight, blocks)) as items:
                    async for item in items:
                        yield item
        except RayError as e:
            raise UsageError(f"--engine ray: {reason(e)}") from e
        finally:
            if begun:
                auto_init_hook.enable_auto_connect = False  # a thread that still waits for results begins no other Ray
                ray.shutdown()

    async def _blocks(
        self, plan: Plan, flight: Flight, needed: Needed | None, answer: Answer | None, passed: MutableSequence[int]
    ) -> AsyncGenerator[pa.Table]:
        """The rows that need something, with what the target gave for them; the places of others go to `passed`."""
        size, repeats = self._size(plan), plan.order.repeats
        rows = left(placed(plan.rows, needed, repeats), passed)
        if answer is None:
            async for table in in_a_thread(tables((row for row, _ in rows), size)):
                if flight.stopped:
                    return
                yield table
            return
        some = list[Row]()
        async with aclosing(answered(in_a_thread(rows), answer, repeats, flight)) as made:
            async for row in made:
                some.append(row)
                if len(some) == size:
                    yield table_of(some)
                    some = []
        if some:
            yield table_of(some)

    async def _scored(self, plan: Plan, flight: Flight, blocks: Sequence[Any]) -> AsyncGenerator[Item]:
        """What the workers make of the rows; once `flight` is stopped, as far as they come within `MOST_AFTER`."""
        order, budget = plan.order, plan.budget
        purse = purse_of(Budget(max_calls=budget.max_calls, max_cost=budget.max_cost))
        how: Any = {"concurrency": order.concurrency, "batch_size": self._size(plan), "workers": self.workers}
        how |= {"repeats": order.repeats, "raises": False, "purse": purse}
        how |= {"counted": bool(budget.max_calls or budget.max_cost)}
        making = Making.of(order, plan.description.get("again"))
        results = in_a_thread(items_of(scored_by(making, dataset_of(blocks), **how)))
        halting = asyncio.create_task(self._stop_all(flight, purse))
        coming = asyncio.ensure_future(anext(results, None))
        try:
            while True:
                await asyncio.wait({coming, halting}, return_when=asyncio.FIRST_COMPLETED)
                if not coming.done() or (item := coming.result()) is None:
                    break
                spent = Spent()
                for result in item.results.values():
                    spent.add(result)
                flight.calls, flight.cost = flight.calls + spent.calls, flight.cost + spent.cost
                coming = asyncio.ensure_future(anext(results, None))
                yield item
            calls, cost, stopped = await purse.told.remote()
            if how["counted"]:
                flight.calls, flight.cost = calls, cost
            if stopped:
                flight.stop(stopped)
        finally:
            halting.cancel()
            coming.cancel()

    async def _stop_all(self, flight: Flight, purse: Any) -> None:
        """Stop the workers once `flight` is; ends when all that they finish should be there."""
        await flight.halted.wait()
        purse.stop.remote(flight.stopped)
        if flight.stopped == INTERRUPTED:
            say(f"scorer: stopping; calls in flight have {GRACE:g} s to finish; once more (Ctrl-C) stops at once")
        await asyncio.sleep(MOST_AFTER)

    def _size(self, plan: Plan) -> int:
        """Rows at a time: as `score_dataset` has it, but fewer where some workers would have none."""
        share = -(-(plan.total or 0) // (SHARE * self.workers))
        return self.batch_size or max(1, min(WAVES * plan.order.concurrency, share))


def ray_engine(told: str) -> RayEngine:
    """The engine that `ray:workers=8,batch_size=100` names.

    Raises:
        UsageError: there is no such option, or its value is no whole number of 1 or more.
    """
    given = named("--engine ray:", told.split(",")) if told else {}
    if unknown := given.keys() - {a.name for a in attrs.fields(RayEngine)}:
        raise UsageError(f"--engine ray: no option {', '.join(sorted(unknown))} (have: workers, batch_size)")
    check_numbers(**given)
    return RayEngine(**given)


def started() -> bool:
    """Whether Ray was begun here, rather than before; on a cluster if RAY_ADDRESS names one, else on this machine.

    Raises:
        UsageError: there is no such cluster, or nobody answers there.
    """
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # its errors are raised, too
    if ray.is_initialized():
        return False
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # who runs a scorer reports nothing unasked
    auto_init_hook.enable_auto_connect = True
    try:
        _look_for(os.environ.get("RAY_ADDRESS", ""))
        with heeded(signal.SIGTERM):
            ray.init(log_to_driver=False, logging_level="error")
    except (OSError, RuntimeError, ValueError) as e:
        raise UsageError(f"--engine ray: Ray does not start: {e}") from e
    return True


def _look_for(address: str) -> None:
    """See that somebody answers at `host:port` or `ray://host:port`; Ray itself goes on trying for minutes.

    Raises:
        ConnectionError: nobody does.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return  # no place on a network: "auto", "local"
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWERS).close()
    except OSError as e:
        raise ConnectionError(f"nobody answers at {address} (RAY_ADDRESS): {e}") from e


@contextmanager
def heeded(number: int) -> Iterator[None]:
    """Afterwards a signal is heeded as before; Ray takes SIGTERM for itself, and would end the process on the spot."""
    handler = signal.getsignal(number)
    yield
    if threading.current_thread() is threading.main_thread():
        signal.signal(number, handler)


def reason(error: RayError) -> str:
    """What is wrong, without the way there: the last error's text."""
    _, ours, told = str(error).strip().rpartition(f"{UsageError.__name__}: ")
    return told.partition("\n\n")[0] if ours else told.splitlines()[-1]  # after ours Ray tells what it did with it


def items_of(results: Dataset) -> Iterator[Item]:
    """Results, in which those of a row and its repeat stand together, as items."""
    each = (json.loads(row["result"]) for row in results.iter_rows())
    for (index, repeat), some in groupby(each, key=lambda told: (told["index"], told["repeat"])):
        told = [*some]
        made = [RunResult.from_dict(one) for one in told if "status" in one]
        given: Any = {"repeat": repeat, "cut": len(made) < len(told)}
        yield Item(index or 0, None, None, {result.scorer_label: result for result in made}, **given)

"""The engine `ray` of `scorer run`: rows go out to Ray's workers, results come back to the one writer of the run."""

from __future__ import annotations

import json
import logging
import os
from array import array
from collections.abc import AsyncGenerator, Iterable, Iterator, MutableSequence
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Any

import attrs
import ray
import ray.data
from attrs import frozen
from ray.exceptions import RayError

from scorer_core import RunResult, UsageError
from scorer_core.evaluating.scoring import Item, Needed
from scorer_core.evaluating.turns import Answer
from scorer_core.judging.flight import Flight
from scorer_runner.engines import in_a_thread
from scorer_runner.order import Order
from scorer_runner.plan import Plan
from scorer_runner.reading.columns import columns
from scorer_runner.values import named

from .dataset import WAVES, check_numbers, dataset_of, scored_by
from .making import Making
from .rows import Row, placed

if TYPE_CHECKING:
    from ray.data import Dataset

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
        if order.target or order.repeats > 1:
            raise UsageError("--engine ray: --target and --repeats ask a target, which is done by --engine local alone")
        if columns(order.map, ()).own:
            raise UsageError("--engine ray: --map SCORER.FIELD=COLUMN is read by --engine local alone")
        if order.max_calls or order.max_cost or order.deadline:
            raise UsageError("--engine ray: workers count calls alone; limits to all are held by --engine local")
        if order.out == "-":
            raise UsageError("--engine ray: Ray writes to standard output, too, so results can't go there; --out FILE")

    async def items(
        self, plan: Plan, flight: Flight, needed: Needed | None, answer: Answer | None
    ) -> AsyncGenerator[Item]:
        """See `Engine`; rows that need nothing are told first. Once stopped, what is on its way is left undone."""
        begun = started()
        try:
            async for item in in_a_thread(self._items(plan, needed)):
                yield item
                if flight.stopped:
                    return
        except RayError as e:
            raise UsageError(f"--engine ray: {reason(e)}") from e
        finally:
            if begun:
                ray.shutdown()

    def _items(self, plan: Plan, needed: Needed | None) -> Iterator[Item]:
        how: Any = {"concurrency": plan.order.concurrency, "batch_size": self._size(plan), "workers": self.workers}
        passed = array("q")
        rows = left(placed(plan.rows, needed), passed)
        some = [*islice(rows, 1)]
        ds = dataset_of(chain(some, rows), how["batch_size"]) if some else None
        yield from (Item(index, None, None, {}) for index in passed)
        if ds:
            yield from items_of(scored_by(Making.of(plan.order), ds, **how, raises=False))

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
        UsageError: there is no such cluster.
    """
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # its errors are raised, too
    if ray.is_initialized():
        return False
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # who runs a scorer reports nothing unasked
    try:
        ray.init(log_to_driver=False, logging_level="error")
    except (ConnectionError, RuntimeError, ValueError) as e:
        raise UsageError(f"--engine ray: Ray does not start: {e}") from e
    return True


def reason(error: RayError) -> str:
    """What is wrong, without the way there: the last error's text."""
    _, ours, told = str(error).strip().rpartition(f"{UsageError.__name__}: ")
    return told if ours else told.splitlines()[-1]


def left(rows: Iterable[Row], passed: MutableSequence[int]) -> Iterator[Row]:
    """The rows that still need something; the places of the others go to `passed`."""
    for row in rows:
        if row.labels == []:
            passed.append(row.index or 0)
        else:
            yield row


def items_of(results: Dataset) -> Iterator[Item]:
    """Results, in which those of a row stand together, as items."""
    each = (RunResult.from_dict(json.loads(row["result"])) for row in results.iter_rows())
    for index, some in groupby(each, key=lambda result: result.index):
        yield Item(index or 0, None, None, {result.scorer_label: result for result in some})

"""What all workers together may take: counted in one place, where each asks before a call."""

from __future__ import annotations

import asyncio
from typing import Any

import ray
from attrs import define, field
from ray.exceptions import RayError

from scorer_core.contract.errors import Failed
from scorer_core.judging.budget import Budget
from scorer_core.judging.flight import Flight

ALL = 1_000_000_000  # calls in flight: how many there may be is up to each worker


class Purse:
    """The calls of all workers, and what they cost; an actor of one Ray process.

    Args:
        budget: What they may take.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.flight: Flight | None = None

    def _flight(self) -> Flight:
        """Made on the actor's own loop."""
        self.flight = self.flight or Flight(ALL, self.budget)
        return self.flight

    async def take(self) -> str:
        """Why no further call may begin; nothing where one may, which is counted in."""
        try:
            await self._flight().enter()
        except Failed as e:
            return e.message
        return ""

    async def pay(self, cost: float | None, model: str) -> None:
        """Count in what a reply cost."""
        self._flight().pay(cost, model)

    async def stop(self, why: str) -> None:
        """Let no further call begin."""
        self._flight().stop(why)

    async def stopped(self) -> str:
        """Why no further call begins, once that is so."""
        await self._flight().halted.wait()
        return self._flight().stopped

    async def told(self) -> tuple[int, float, str]:
        """How many calls were begun, what they cost, and why no more begin; empty where they may."""
        return self._flight().calls, self._flight().cost, self._flight().stopped


def purse_of(budget: Budget) -> Any:
    """A purse that workers on all machines can reach; it takes no CPU from them."""
    actor: Any = ray.remote(Purse)
    return actor.options(num_cpus=0).remote(budget)


@define(eq=False)
class Shared(Flight):
    """The calls of one worker, each of which is taken from the purse of all.

    Args:
        purse: The purse of all.
        counted: Whether calls are counted there; if not, it only tells when to stop.
    """

    purse: Any = field(default=None, kw_only=True)
    counted: bool = field(default=True, kw_only=True)

    async def enter(self) -> None:
        """As of `Flight`."""
        await super().enter()
        if why := await self._refused():
            self.stop(why)
            self._slots.release()
            raise Failed("budget", why)

    def pay(self, cost: float | None, model: str) -> None:
        """As of `Flight`."""
        super().pay(cost, model)
        if self.counted:
            self.purse.pay.remote(cost, model)

    async def stop_with_all(self, stopped: Any) -> None:
        """Stop once all are told to; `stopped` is what the purse's method of that name gave."""
        try:
            self.stop(await asyncio.wrap_future(stopped.future()))
        except RayError as e:
            self.stop(f"the count of all workers is lost: {str(e).splitlines()[0]}")

    async def _refused(self) -> str:
        try:
            return str(await self.purse.take.remote()) if self.counted else ""
        except RayError as e:
            return f"the count of all workers is lost: {str(e).splitlines()[0]}"

"""The judge calls of a run as a whole: how many are in flight, what they took, and whether more may begin."""

from __future__ import annotations

import asyncio
import math
import time

from attrs import define, field, setters

from ..contract.errors import Failed
from ..contract.settings import whole
from .budget import GRACE, Budget


@define(eq=False, on_setattr=setters.NO_OP)
class Flight:
    """The judge calls of a run.

    Args:
        concurrency: How many may be in flight at once.
        budget: What they may take in all.
        calls: How many were begun.
        cost: What they cost, as far as their replies are there.
        stopped: Why no further call begins; empty while calls may begin.
        halted: Set once the run is stopped.
    """

    concurrency: int = field(default=8, validator=whole(1))
    budget: Budget = field(factory=Budget)
    calls: int = field(default=0, init=False)
    cost: float = field(default=0.0, init=False)
    stopped: str = field(default="", init=False)
    halted: asyncio.Event = field(factory=asyncio.Event, init=False, repr=False)
    _slots: asyncio.Semaphore = field(init=False, repr=False)
    _begun: dict[asyncio.Future[None], tuple[float, float]] = field(factory=dict, init=False, repr=False)  # from, until
    _looks: float = field(default=math.inf, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.concurrency)

    @property
    def now(self) -> tuple[int, float]:
        """How many calls are in flight, and for how many seconds the oldest of them."""
        oldest, _ = next(iter(self._begun.values()), (None, None))
        return len(self._begun), 0.0 if oldest is None else time.monotonic() - oldest

    def start(self) -> None:
        """Count the time from now on."""
        if (seconds := self.budget.deadline) is not None:
            said = f"deadline of {seconds:g} s is reached"
            asyncio.get_running_loop().call_later(seconds, self.stop, said)

    async def enter(self) -> None:
        """Wait for a place among the calls in flight.

        Raises:
            Failed: no further call may begin (kind `budget`).
        """
        await self._slots.acquire()
        self._look()
        if self.stopped:
            self._slots.release()
            raise Failed("budget", self.stopped)
        self.calls += 1

    def begun(self, call: asyncio.Future[None], seconds: float) -> None:
        """Note a call that has its place, by the future that is done when it is over; it may take so long."""
        now = time.monotonic()
        self._begun[call] = now, now + seconds
        self._look_at(now + seconds)

    def _look_at(self, then: float) -> None:
        """Look then for calls that are over their time: one timer for all of them, as few ever are."""
        if then < self._looks:
            self._looks = then
            asyncio.get_running_loop().call_later(then - time.monotonic(), self._look_for_late_ones, then)

    def _look_for_late_ones(self, then: float) -> None:
        if then > self._looks:
            return  # a shorter time was set meanwhile, and with it all looks after that
        self._looks = math.inf
        for call, (_, until) in self._begun.items():
            end(call) if until <= then else self._look_at(until)

    def leave(self, call: asyncio.Future[None]) -> None:
        """Give the place of a call free."""
        del self._begun[call]
        self._slots.release()

    def pay(self, cost: float | None, model: str) -> None:
        """Count in what a reply cost; one of which that is not known stops a run whose cost is limited."""
        self.cost += cost or 0.0
        if cost is None and self.budget.max_cost is not None:
            self.stop(f"a reply of {model} told no tokens, so what it cost is not known and max_cost can't be held")

    def stop(self, why: str) -> None:
        """Let no further call begin; those in flight are given up after `GRACE` seconds."""
        if not self.stopped:
            self.stopped = why
            self.halted.set()
            asyncio.get_running_loop().call_later(GRACE, self.give_up)

    def give_up(self) -> None:
        """Wait no longer for the calls in flight."""
        for call in self._begun:
            end(call)

    def _look(self) -> None:
        """Stop where the budget is spent."""
        most, cost = self.budget.max_calls, self.budget.max_cost
        if most is not None and self.calls >= most:
            self.stop(f"max_calls of {most} is reached")
        if cost is not None and self.cost >= cost:
            self.stop(f"max_cost of {cost:g} is reached: the calls cost {self.cost:.6g}")


def end(call: asyncio.Future[None]) -> None:
    """Let whoever waits for a call go on, if it is not over yet."""
    if not call.done():
        call.set_result(None)

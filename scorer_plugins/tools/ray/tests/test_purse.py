"""What all workers may take: each call is counted in one place, and all stop together."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("ray", reason="no Ray here; uv run --group test --group ray pytest scorer_plugins/tools/ray")

from ray.exceptions import RayError

from scorer_core.contract.errors import Failed
from scorer_core.judging.budget import Budget
from scorer_ray.purse import Purse, Shared


class Lost:
    """An actor whose machine is gone."""

    def __getattr__(self, name: str) -> Any:
        return self

    def remote(self, *_: Any) -> Any:
        async def gone() -> None:
            raise RayError("the actor died\nin many words")

        return gone()


async def told(purse: Purse, calls: int) -> list[str]:
    return [await purse.take() for _ in range(calls)]


def test_there_is_never_one_call_more_whoever_asks() -> None:
    async def take() -> None:
        purse = Purse(Budget(max_calls=3))
        assert sum(not why for why in await told(purse, 9)) == 3
        assert await purse.told() == (3, 0.0, "max_calls of 3 is reached")
        assert await purse.stopped() == "max_calls of 3 is reached"

    asyncio.run(take())


def test_what_replies_cost_is_added_up() -> None:
    async def pay() -> None:
        purse = Purse(Budget(max_cost=1.0))
        for _ in range(2):
            assert await purse.take() == ""
            await purse.pay(0.5, "m")
        assert await purse.take() == "max_cost of 1 is reached: the calls cost 1"
        assert await purse.told() == (2, 1.0, "max_cost of 1 is reached: the calls cost 1")

    asyncio.run(pay())


def test_who_waits_for_the_end_is_told_of_it() -> None:
    async def stop() -> None:
        purse = Purse(Budget())
        waiting = asyncio.create_task(purse.stopped())
        await asyncio.sleep(0)
        assert not waiting.done()
        await purse.stop("interrupted")
        assert await waiting == "interrupted"
        assert await purse.take() == "interrupted"

    asyncio.run(stop())


def test_where_the_count_is_lost_no_call_is_made_and_its_place_is_given_back() -> None:
    async def lost() -> None:
        flight = Shared(1, purse=Lost(), counted=True)
        for _ in range(2):
            with pytest.raises(Failed, match="the count of all workers is lost: the actor died"):
                await flight.enter()
        assert flight.stopped

    asyncio.run(lost())


def test_calls_that_are_not_counted_ask_nobody() -> None:
    async def enter() -> None:
        flight = Shared(2, purse=Lost(), counted=False)
        await flight.enter()
        flight.pay(1.0, "m")
        assert (flight.calls, flight.cost, flight.stopped) == (1, 1.0, "")

    asyncio.run(enter())

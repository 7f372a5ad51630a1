"""One call in flight: in its time, in its place, in a context of its own."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import weakref

import pytest

from scorer_core.judging.flight import Flight
from scorer_core.judging.in_flight import calls_in_flight, in_time

mine = contextvars.ContextVar("mine", default="nobody's")


async def said():
    return mine.get()


def test_the_value_of_a_call_that_sees_nothing_of_its_callers_context():
    async def caller():
        mine.set("the caller's")
        return await in_time(1, said)

    assert asyncio.run(caller()) == "nobody's"


def test_what_a_call_raises_comes_through_and_frees_its_place():
    async def fails():
        raise OSError("gone")

    async def caller():
        calls_in_flight.set(Flight(1))
        for _ in range(2):
            with pytest.raises(OSError, match="gone"):
                await in_time(1, fails)

    asyncio.run(asyncio.wait_for(caller(), 5))


def test_R087_a_call_that_ignores_its_cancellation_holds_nobody_up():
    ended = []

    async def deaf():
        for _ in range(2):
            try:
                await asyncio.sleep(0.1)
            except asyncio.CancelledError:
                ended.append("heard")

    async def caller():
        with pytest.raises(TimeoutError):
            await in_time(0.01, deaf)
        return list(ended)

    assert asyncio.run(caller()) == []
    assert ended


def test_waiting_for_a_place_is_no_part_of_the_time():
    async def slow():
        await asyncio.sleep(0.03)
        return "done"

    async def caller():
        calls_in_flight.set(Flight(1))
        return await asyncio.gather(*(in_time(0.2, slow) for _ in range(10)))

    assert asyncio.run(caller()) == ["done"] * 10


def test_each_call_has_its_own_time_whichever_began_first():
    async def slow():
        await asyncio.sleep(5)

    async def took(seconds):
        began = asyncio.get_running_loop().time()
        with pytest.raises(TimeoutError):
            await in_time(seconds, slow)
        return asyncio.get_running_loop().time() - began

    async def caller():
        calls_in_flight.set(Flight(9))
        return await asyncio.gather(*map(took, (0.3, 0.1, 0.2, 0.1)))

    assert asyncio.run(caller()) == pytest.approx([0.3, 0.1, 0.2, 0.1], abs=0.09)


def test_many_calls_that_are_done_in_time_leave_one_timer():
    async def caller():
        calls_in_flight.set(Flight(9))
        for _ in range(50):
            await in_time(120, said)
        return len(asyncio.get_running_loop()._scheduled)

    assert asyncio.run(caller()) == 1


def test_calls_outside_of_a_run_keep_no_loop_alive():
    async def caller():
        await in_time(120, said)
        return weakref.ref(asyncio.get_running_loop())

    loop = asyncio.run(caller())
    gc.collect()
    assert loop() is None

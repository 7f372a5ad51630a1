"""Calls in flight: how many at once, how long each may take, and that nothing of them reaches the caller's context."""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

from ..contract.errors import Failed
from ..support.background import begun_threads, contained
from .flight import Flight, end

T = TypeVar("T")

calls_in_flight: contextvars.ContextVar[Flight | None] = contextvars.ContextVar("calls_in_flight", default=None)
_no_limit = Flight(sys.maxsize)
_leaving: set[asyncio.Task[None]] = set()


async def in_time(seconds: float, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The call's value, had in a context of its own, so that nothing of it reaches the caller's callbacks.

    A call that is over its time holds its place among those in flight until the threads it began have ended.

    Raises:
        TimeoutError: it took longer than `seconds`, waiting for its place not counted.
        Failed: the run was stopped: the call was not begun, or was given up (kind `budget`).
    """
    flight, context, threads = calls_in_flight.get() or _no_limit, contextvars.Context(), list[Future[Any]]()
    context.run(begun_threads.set, threads)
    await flight.enter()
    loop = asyncio.get_running_loop()
    over = loop.create_future()
    task, timer = loop.create_task(_made(call, over), context=context), loop.call_later(seconds, end, over)
    flight.begun(over)
    try:
        await over
        if task.done():
            return task.result()
        if flight.stopped:
            raise Failed("budget", flight.stopped)
        raise TimeoutError
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        raise
    finally:
        timer.cancel()
        task.cancel()
        if begun := [t for t in threads if not t.done()]:
            _keep(asyncio.ensure_future(_leave(flight, over, begun)))
        else:
            flight.leave(over)


async def pause(seconds: float) -> None:
    """Wait so long, or until the run is stopped."""
    if (flight := calls_in_flight.get()) is None:
        await asyncio.sleep(seconds)
        return
    with suppress(TimeoutError):
        await asyncio.wait_for(flight.halted.wait(), seconds)


async def _made(call: Callable[[], Coroutine[Any, Any, T]], over: asyncio.Future[None]) -> T:
    """What the call comes to; whoever waits for `over` goes on at once, whatever that is."""
    try:
        return await contained(call())
    finally:
        end(over)


async def _leave(flight: Flight, call: asyncio.Future[None], threads: Sequence[Future[Any]]) -> None:
    """Give the place of a call free when its threads have ended."""
    await asyncio.gather(*map(asyncio.wrap_future, threads), return_exceptions=True)
    flight.leave(call)


def _keep(task: asyncio.Task[None]) -> None:
    """Hold a task that nobody awaits until it is done."""
    _leaving.add(task)
    task.add_done_callback(_leaving.discard)

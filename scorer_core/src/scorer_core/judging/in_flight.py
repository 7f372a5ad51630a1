"""Calls in flight: how many at once, how long each may take, and that nothing of them reaches the caller's context."""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ..contract.errors import Failed
from ..support.background import begun_threads, contained
from .flight import Flight, end

T = TypeVar("T")

calls_in_flight: contextvars.ContextVar[Flight | None] = contextvars.ContextVar("calls_in_flight", default=None)
_alone: WeakKeyDictionary[asyncio.AbstractEventLoop, Flight] = WeakKeyDictionary()  # the calls outside of any run
_leaving: set[asyncio.Task[None]] = set()


async def in_time(seconds: float, call: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T:
    """What `call` gives for `args`, had in a context of its own, so that nothing of it reaches the caller's callbacks.

    A call that is over its time holds its place among those in flight until the threads it began have ended.

    Raises:
        TimeoutError: it took longer than `seconds`, waiting for its place not counted.
        Failed: the run was stopped: the call was not begun, or was given up (kind `budget`).
    """
    loop = asyncio.get_running_loop()
    flight, context, threads = calls_in_flight.get() or _alone_on(loop), contextvars.Context(), list[Future[Any]]()
    context.run(begun_threads.set, threads)
    await flight.enter()
    over = loop.create_future()
    task = loop.create_task(_made(over, call, *args), context=context)
    flight.begun(over, seconds)
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
        task.cancel()
        if begun := [t for t in threads if not t.done()]:
            _keep(asyncio.ensure_future(_leave(flight, over, begun)))
        else:
            flight.leave(over)


def _alone_on(loop: asyncio.AbstractEventLoop) -> Flight:
    """The flight of calls that belong to no run; one a loop, as it ends them on time."""
    if loop not in _alone:
        _alone[loop] = Flight(sys.maxsize)
    return _alone[loop]


async def pause(seconds: float) -> None:
    """Wait so long, or until the run is stopped."""
    if (flight := calls_in_flight.get()) is None:
        await asyncio.sleep(seconds)
        return
    with suppress(TimeoutError):
        await asyncio.wait_for(flight.halted.wait(), seconds)


async def _made(over: asyncio.Future[None], call: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T:
    """What the call comes to; whoever waits for `over` goes on at once, whatever that is."""
    try:
        return await contained(call(*args))
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

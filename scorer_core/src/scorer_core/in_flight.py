"""Calls in flight: how many at once, how long each may take, and that nothing of them reaches the caller's context."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, nullcontext
from typing import Any, TypeVar

from .background import begun_threads, contained

T = TypeVar("T")

calls_in_flight: contextvars.ContextVar[asyncio.Semaphore | None] = contextvars.ContextVar(
    "calls_in_flight", default=None
)
_no_limit = nullcontext()
_leaving: set[asyncio.Task[None]] = set()


async def in_time(seconds: float, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The call's value, had in a context of its own, so that nothing of it reaches the caller's callbacks.

    A call that is over its time holds its place among those in flight until the threads it began have ended.

    Raises:
        TimeoutError: it took longer than `seconds`, waiting for its place not counted.
    """
    slots, context, threads = calls_in_flight.get() or _no_limit, contextvars.Context(), list[Future[Any]]()
    context.run(begun_threads.set, threads)
    async with AsyncExitStack() as place:
        await place.enter_async_context(slots)
        task = asyncio.get_running_loop().create_task(contained(call()), context=context)
        try:
            done, _ = await asyncio.wait({task}, timeout=seconds)
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait({task})
            raise
        if not done:
            task.cancel()
            _keep(asyncio.ensure_future(_leave_when_ended(place.pop_all(), threads)))
            raise TimeoutError
        return task.result()


async def _leave_when_ended(place: AsyncExitStack, threads: Sequence[Future[Any]]) -> None:
    async with place:
        await asyncio.gather(*map(asyncio.wrap_future, threads), return_exceptions=True)


def _keep(task: asyncio.Task[None]) -> None:
    """Hold a task that nobody awaits until it is done."""
    _leaving.add(task)
    task.add_done_callback(_leaving.discard)

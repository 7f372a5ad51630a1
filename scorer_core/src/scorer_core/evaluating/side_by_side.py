"""Work on many things side by side: so many at once, read as they are consumed, given as they are done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Coroutine, Iterable, Mapping
from typing import Any, TypeVar

from ..contract.errors import UsageError
from ..contract.schema import Run
from ..judging.budget import GRACE

MOST_AFTER = GRACE + 2  # seconds: what waits for a call that was given up ends by itself
T = TypeVar("T")
Made = TypeVar("Made")


async def numbered(data: Iterable[T] | AsyncIterable[T]) -> AsyncIterator[tuple[int, T]]:
    """Each of `data` with its place, from 0.

    Raises:
        UsageError: `data` is no collection of rows.
    """
    check_rows(data)
    index = 0
    if isinstance(data, AsyncIterable):
        async for given in data:
            yield index, given
            index += 1
    else:
        for pair in enumerate(data):
            yield pair


def check_rows(data: Any) -> None:
    """Nothing, if `data` is a collection of rows.

    Raises:
        UsageError: it is none, or is one thing that would be taken for many.
    """
    if isinstance(data, (str, bytes, Mapping, Run)) or not (hasattr(data, "__iter__") or hasattr(data, "__aiter__")):
        raise UsageError(f"data: expected a collection of rows, got {data!r:.200}")


async def completed(
    source: AsyncIterator[tuple[int, T]],
    work: Callable[[int, T], Coroutine[Any, Any, Made]],
    *,
    most: int,
    last: Callable[[Made], object],
    halted: asyncio.Event | None = None,
) -> AsyncGenerator[Made]:
    """What `work` makes of each pair of the source, as it is done.

    Each piece of work is a task of its own; the source is read in one task, from its begin to its end. What was begun
    is given, or cancelled and awaited where the caller goes away. What the source raises is raised after that.

    Args:
        source: Read no further than there is room, as its caller takes what is done.
        work: Its exceptions come through, and end it all.
        most: How many are begun and not yet taken.
        last: Whether no more is to be begun, for what was made; what is under way is still given.
        halted: Once it is set no more is begun either, nor read; what is under way is given if it is done within
            `MOST_AFTER` seconds.
    """
    halted = halted or asyncio.Event()
    room, running, done = asyncio.Semaphore(most), set[asyncio.Task[Made]](), asyncio.Queue[asyncio.Task[Any]]()
    reading = True

    async def read() -> None:
        while await room.acquire() and reading:
            pair = await anext(source, None)
            if pair is None or not reading:
                return
            task = asyncio.create_task(work(*pair))
            running.add(task)
            task.add_done_callback(done.put_nowait)

    async def halt() -> None:
        await halted.wait()
        reader.cancel()
        await asyncio.sleep(MOST_AFTER)
        for task in running:
            task.cancel()

    reader, halting = asyncio.create_task(read()), asyncio.create_task(halt())
    reader.add_done_callback(done.put_nowait)
    try:
        while running or reading:
            if (task := await done.get()) is reader:
                reading = False
                continue
            running.discard(task)
            if task.cancelled() and halted.is_set():
                continue
            made = task.result()
            reading = reading and not last(made)
            yield made
            room.release()
        if reader.done() and not (reader.cancelled() and halted.is_set()):
            reader.result()
    finally:
        for task in (reader, halting, *running):
            task.cancel()
        await asyncio.gather(reader, halting, *running, return_exceptions=True)

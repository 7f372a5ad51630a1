"""The one loop that every `.run()` of a process goes to, and how functions of the user are called."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias, TypeVar

from .raised import error_text

T = TypeVar("T")
_Call: TypeAlias = "tuple[Future[Any], Callable[..., Any], Any, Any]"
IDLE = 10.0  # seconds that a thread waits for the next call
begun_threads: contextvars.ContextVar[list[Future[Any]] | None] = contextvars.ContextVar("begun_threads", default=None)
_loops: dict[int, asyncio.AbstractEventLoop] = {}
_making = threading.Lock()


class Interrupted(KeyboardInterrupt):
    """Raised by whoever runs the loop, to end it; one that another's code raises ends nothing but that code."""


class DaemonThreads(ThreadPoolExecutor):
    """As many threads as there are calls at once, so that one that hangs holds up neither others nor the process's end.

    A thread that is done takes the next call; one that finds none for `IDLE` seconds ends.
    """

    def __init__(self) -> None:
        super().__init__()
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Have no thread: those of before a fork are not there after it."""
        self._pid, self._calls, self._waiting = os.getpid(), SimpleQueue[_Call](), threading.Semaphore(0)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        if (begun := begun_threads.get()) is not None:
            begun.append(future)
        if self._pid != os.getpid():
            self._begin_anew()
        self._calls.put((future, fn, args, kwargs))
        if not self._waiting.acquire(blocking=False):
            threading.Thread(target=self._work, name="scorer_core call", daemon=True).start()
        return future

    def _work(self) -> None:
        while call := self._next():
            _fulfil(*call)
            del call  # what it holds must not live until the next one
            self._waiting.release()

    def _next(self) -> _Call | None:
        """A call to fulfil; None after a long wait, if no call counts on this thread."""
        while True:
            with suppress(Empty):
                return self._calls.get(timeout=IDLE)
            if self._waiting.acquire(blocking=False):
                return None


_threads = DaemonThreads()


def _fulfil(future: Future[Any], fn: Callable[..., Any], args: Any, kwargs: Any) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(fn(*args, **kwargs))
    except StopIteration as e:  # asyncio puts none into a future: whoever awaits it would wait for good
        ended = RuntimeError(f"raised {error_text(e)}")
        ended.__cause__ = e
        future.set_exception(ended)
    except BaseException as e:
        future.set_exception(e)


def background_loop() -> asyncio.AbstractEventLoop:
    """The loop, in a daemon thread; made on first use, and again after a fork."""
    with _making:
        if (pid := os.getpid()) not in _loops:
            _loops.clear()
            _loops[pid] = loop = enduring_loop()
            loop.set_default_executor(DaemonThreads())
            threading.Thread(target=loop.run_forever, name="scorer_core", daemon=True).start()
        return _loops[pid]


def enduring_loop() -> asyncio.AbstractEventLoop:
    """A loop that goes on where others' code would end it, and all that is under way: by a SystemExit in a task.

    What it runs until it is complete must not raise one itself, see `contained`; `Interrupted` comes through.
    """
    loop: Any = asyncio.new_event_loop()
    run, stop, over = loop.run_forever, loop.stop, threading.Event()

    def run_forever() -> None:
        over.clear()
        while not over.is_set():  # a loop that is left forgets that it was told to stop
            try:
                run()
                over.set()
            except Interrupted:
                raise
            except (SystemExit, KeyboardInterrupt):
                continue

    def stopped() -> None:
        over.set()
        stop()

    loop.run_forever, loop.stop = run_forever, stopped
    return loop  # type: ignore[no-any-return]


def run_here(work: Coroutine[Any, Any, T], instead: str) -> T:
    """What `work` comes to, from any thread, inside or outside a running loop.

    Raises:
        RuntimeError: called on the background loop itself, which would wait for itself; names `instead`.
    """
    loop = background_loop()
    if asyncio._get_running_loop() is loop:
        work.close()
        raise RuntimeError(f"this runs on scorer_core's own loop already, which can't wait for itself; await {instead}")
    future = asyncio.run_coroutine_threadsafe(work, loop)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def contained(work: Awaitable[T]) -> T:
    """What `work` comes to; where it would end the process, the loop or whoever waits for it, an error instead."""
    try:
        return await work
    except (Exception, Interrupted, GeneratorExit):
        raise
    except asyncio.CancelledError as e:
        task = asyncio.current_task()
        if task is None or task.cancelling():  # as whoever runs this asked for
            raise
        raise RuntimeError(f"raised {error_text(e)}") from e
    except BaseException as e:
        raise RuntimeError(f"raised {error_text(e)}") from e


async def all_of(works: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """What all of them come to, had at the same time; one alone needs no task of its own."""
    return [await works[0]] if len(works) == 1 else list(await asyncio.gather(*works))


async def call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a function of the user gives back; a sync one runs in a thread of its own, so that it may block."""
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
        return await contained(function(*args, **kwargs))
    work = partial(contextvars.copy_context().run, function, *args, **kwargs)
    given = await contained(asyncio.get_running_loop().run_in_executor(_threads, work))
    return await contained(given) if inspect.isawaitable(given) else given

"""Ctrl-C, and being told to end: once, a run ends what it has begun; twice, it ends at once."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from scorer_core.judging.budget import GRACE
from scorer_core.judging.flight import Flight
from scorer_core.support.background import Interrupted

from ..terminal.console import say

INTERRUPTED = "interrupted"
SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopped_by_signals(flight: Flight) -> Iterator[Callable[[], bool]]:
    """Meanwhile the first signal stops `flight`, and the second one the task that runs now; tells whether one came.

    A signal that is ignored stays so, as for what runs in the background of a shell.

    Raises:
        KeyboardInterrupt: the second signal came.
    """
    loop, task, came = asyncio.get_running_loop(), asyncio.current_task(), list[int]()
    assert task is not None

    def come(number: int, _: Any) -> None:
        came.append(number)
        if len(came) == 1:
            loop.call_soon_threadsafe(_stop, flight)
            return
        loop.call_soon_threadsafe(task.cancel)  # where something catches what is raised here
        raise Interrupted

    ours = SIGNALS if threading.current_thread() is threading.main_thread() else ()
    before = {number: handler for number in ours if (handler := signal.getsignal(number)) is not signal.SIG_IGN}
    try:
        for number in before:
            signal.signal(number, come)
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(flight: Flight) -> None:
    calls, _ = flight.now
    flight.stop(INTERRUPTED)
    if calls:
        said = f"{calls} calls in flight have" if calls > 1 else "1 call in flight has"
        say(f"scorer: stopping; {said} {GRACE:g} s to finish; once more (Ctrl-C) stops at once")

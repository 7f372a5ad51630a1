"""How far a run is, on standard error: live on a terminal, elsewhere a plain line now and then."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column

from scorer_core.judging.flight import Flight

from ..results.tally import Tally
from ..terminal.console import screen
from ..terminal.figures import many
from .batch import Watch

LIVE, PLAIN = 0.2, 30.0  # seconds from one showing to the next


@contextmanager
def progress(total: int | None, *, quiet: bool) -> Iterator[Watch | None]:
    """What shows how far a run of so many rows is, where that is known; None where nobody wants to know."""
    console = screen(stderr=True)
    if quiet:
        yield None
    elif console.is_terminal:
        with _live(console, total) as watch:
            yield watch
    else:
        yield _plain(console, total)


@contextmanager
def _live(console: Console, total: int | None) -> Iterator[Watch]:
    line = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
    columns = (BarColumn(16), TimeElapsedColumn(), line)
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as shown:
        task, started = shown.add_task("", total=total), time.monotonic()

        def show(tally: Tally, flight: Flight) -> None:
            told = " · ".join(far(tally, flight, total, time.monotonic() - started))
            shown.update(task, completed=tally.rows, description=told, refresh=True)

        yield Watch(LIVE, show, last=True)


def _plain(console: Console, total: int | None) -> Watch:
    started = time.monotonic()

    def show(tally: Tally, flight: Flight) -> None:
        passed = time.monotonic() - started
        console.print(f"{duration(passed)}: {' · '.join(far(tally, flight, total, passed))}", soft_wrap=True)

    return Watch(PLAIN, show)


def far(tally: Tally, flight: Flight, total: int | None, seconds: float) -> Iterator[str]:
    """How far a run is after so many seconds, and what it took up to now, in a few words each."""
    in_flight, oldest = flight.now
    spent = tally.spent
    yield f"{tally.rows}/{total} rows" if total is not None else many(tally.rows, "row")
    if tally.n_failed:
        yield f"{tally.n_failed} failed"
    if left := _left(tally, total, seconds):
        yield f"{duration(left)} left"
    if flight.calls:
        yield many(flight.calls, "call")
    if tokens := spent.usage.get("total_tokens"):
        yield f"{_short(tokens)} tokens"
    if spent.cost:
        yield f"cost {'at least ' if spent.unpriced else ''}{spent.cost:.4g}"
    if in_flight:
        yield f"{in_flight} in flight, the oldest for {duration(oldest)}"


def _left(tally: Tally, total: int | None, seconds: float) -> float | None:
    """How many seconds the other rows will take, if they take as long as those before."""
    done = tally.rows - tally.passed
    return None if total is None or not done else (total - tally.rows) * seconds / done


def duration(seconds: float) -> str:
    """`12 s`, `4 min`, `2 h 5 min`."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def _short(n: int) -> str:
    """`950`, `12.3k`, `4.6M`."""
    return str(n) if n < 1_000 else f"{n / 1_000:.1f}k" if n < 1_000_000 else f"{n / 1_000_000:.1f}M"

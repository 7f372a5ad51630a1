"""How far a run is: on standard error, on a terminal only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from .batch import Tally, Tick
from .console import screen


class _Counts(ProgressColumn):
    """Rows done, of how many where that is known, rows a second, and failures."""

    def render(self, task: Task) -> Text:
        of = f"/{task.total:.0f}" if task.total is not None else ""
        rate = f"{task.finished_speed or task.speed or 0:.1f} rows/s"
        failed = task.fields["failed"]
        told = Text(f"{task.completed:.0f}{of} rows · {rate}")
        return told.append(f" · {failed} failed", style="red") if failed else told


@contextmanager
def progress(total: int | None, *, quiet: bool) -> Iterator[Tick | None]:
    """A function that shows how far the run is; None where nobody watches."""
    console = screen(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("scoring"), BarColumn(24), _Counts(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("", total=total, failed=0)

        def tick(tally: Tally) -> None:
            shown.update(task, completed=tally.rows, failed=tally.n_failed)

        yield tick

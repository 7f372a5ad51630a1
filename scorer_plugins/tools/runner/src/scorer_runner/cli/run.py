"""`scorer run`: a file of rows in, a line of JSON a row and scorer out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from ..ordering.order import Applied
from .ordering import takes_order

if TYPE_CHECKING:
    from ..planning.plan import Plan


@takes_order
def command(
    applied: Applied,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show nothing but errors.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an unforeseen error came from.")] = False,
) -> None:
    """Score a file of rows.

    A row has output, and where there is one input, context, ground_truth, messages and id; all else is metadata.
    """
    from ..ordering.trying import Trier
    from ..planning.making import made

    carried_out(made(applied.order, Trier([*applied.problems], applied.places)), quiet=quiet)


def carried_out(plan: Plan, *, quiet: bool) -> None:
    """Run `plan`, show what came of it, and end with its exit code."""
    from ..running.session import complaints, exit_code, report, scored
    from ..showing.evidence import worst

    tally = scored(plan, quiet=quiet)
    with _shown(plan):
        if not quiet:
            report(plan, tally, worst(tally, 3))
        if plan.out and plan.shown != "table":
            from ..results.exporting import export
            from ..results.flat import long

            export(long(plan.out), plan.shown, sys.stdout.buffer)
    complaints(plan, tally)
    raise typer.Exit(exit_code(tally))


@contextmanager
def _shown(plan: Plan) -> Iterator[None]:
    """What is shown reaches standard output; where it can't, as on a full disk, a message and exit code 3.

    Where nobody reads on, as after `| head`, the run is as it was: its results are in a file.
    """
    from ..terminal.console import say, show_no_more

    try:
        yield
        if sys.stdout is not None:  # it may be closed
            sys.stdout.flush()
    except BrokenPipeError:
        if plan.out is None:
            raise
        show_no_more()
    except OSError as e:
        show_no_more()
        where = f"; all results are in {str(plan.out)!r}" if plan.out else ""
        say(f"scorer: standard output can't be written: {e.strerror}{where}", style="red")
        raise typer.Exit(3) from e

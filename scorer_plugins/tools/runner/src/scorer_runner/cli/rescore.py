"""`scorer rescore`: results in, scored anew from a step on."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ..ordering.order import Applied
from .ordering import takes_order
from .run import carried_out


@takes_order
def command(
    applied: Applied,
    from_step: Annotated[
        Literal["preprocess", "analyze", "generate_score"],
        typer.Option(help="What comes before is taken from the results, where they have it."),
    ] = "preprocess",
    quiet: Annotated[bool, typer.Option("--quiet", help="Show nothing but errors.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an unforeseen error came from.")] = False,
) -> None:
    """Score the rows of a file of results anew.

    DATA is what scorer run wrote. From analyze on, a changed template asks for no new claims; from generate_score on, a
    changed formula asks for no new verdicts.
    """
    from ..ordering.trying import Trier
    from ..planning.making import made

    carried_out(made(applied.order, Trier([*applied.problems], applied.places), again=from_step), quiet=quiet)

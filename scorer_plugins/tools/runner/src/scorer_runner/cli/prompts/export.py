"""`scorer prompts export`: a pack to start from."""

from __future__ import annotations

from typing import Annotated

import typer

from scorer_core.plugins import load_scorer

from .options import ScorerId


def command(
    scorer: ScorerId,
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="Where the pack goes; nothing there is written over.")
    ],
) -> None:
    """Write a scorer's templates into a folder: keep the files you change, and delete the others."""
    from ...prompting.exporting import exported

    for name in exported(load_scorer(scorer), folder):
        typer.echo(f"{folder}/{name}")

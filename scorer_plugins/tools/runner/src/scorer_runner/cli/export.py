"""`scorer export`: a file of results in another form; nothing is judged again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

Form = Literal["json", "jsonl", "csv", "parquet", "table", "markdown"]


def command(
    results: Annotated[str, typer.Argument(metavar="RESULTS", help="A file of results, as made by scorer run.")],
    format: Annotated[
        Form | None, typer.Option(help="The form; by the ending of --out unless given, else a table.")
    ] = None,
    out: Annotated[str, typer.Option(metavar="FILE", help="Where it goes; - is standard output.")] = "-",
    wide: Annotated[bool, typer.Option("--wide", help="A line a row, with columns for each scorer.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an unforeseen error came from.")] = False,
) -> None:
    """Give results in another form, such as CSV.

    There is a line for each row and scorer; with --wide one for each row. In CSV a text that a spreadsheet would run
    as a formula gets a ' before it; numbers stay numbers.
    """
    from ..results import flat
    from ..results.exporting import export
    from ..results.forms import ENDINGS

    form = format or ENDINGS.get(Path(out).suffix.lower(), "table")
    table = (flat.wide if wide else flat.long)(Path(results))
    export(table, form, sys.stdout.buffer if out == "-" else Path(out))

"""`scorer doctor`: what is here, and what of it does not work."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import attrs
import typer

if TYPE_CHECKING:
    from ..doctor import Found


def command(
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show what is installed and set, and what of it does not work.

    Versions, scorers, packs, models, tools, and of keys the names alone; exit 1 where something is broken.
    """
    from ..doctor import examined

    found = examined()
    if as_json:
        typer.echo(json.dumps({kind: [*map(attrs.asdict, told)] for kind, told in found.items()}, indent=2))
    else:
        _print(found)
    raise typer.Exit(0 if all(f.works for told in found.values() for f in told) else 1)


def _print(found: Mapping[str, Sequence[Found]]) -> None:
    from rich.text import Text

    from ..terminal.console import clean, harmless, screen
    from ..terminal.figures import ruled

    table = ruled(("", "name", ""))
    for kind, told in found.items():
        for n, f in enumerate(told):
            says = Text(harmless(f.told)) if f.works else Text.assemble(("broken", "red"), "  ", harmless(f.told))
            table.add_row(Text(kind if n == 0 else "", "dim"), Text(clean(f.name)), says)
        if not told:
            table.add_row(Text(kind, "dim"), Text("none", "dim"), "")
        table.add_section()
    broken = sum(not f.works for told in found.values() for f in told)
    console = screen()
    console.print(table)
    console.print(Text(f"{broken} broken", "bold red") if broken else Text("all of it works", "green"))

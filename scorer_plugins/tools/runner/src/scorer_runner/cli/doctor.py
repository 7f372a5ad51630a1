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
    """Show versions, plugins, packs, models and the keys that are set, by name alone; exit 1 where one is broken."""
    from ..doctor import examined

    found = examined()
    if as_json:
        typer.echo(json.dumps({kind: [*map(attrs.asdict, told)] for kind, told in found.items()}, indent=2))
    else:
        _print(found)
    raise typer.Exit(0 if all(f.works for told in found.values() for f in told) else 1)


def _print(found: Mapping[str, Sequence[Found]]) -> None:
    from rich.text import Text

    from ..console import clean, screen
    from ..summary import ruled

    table = ruled(("", "name", ""))
    for kind, told in found.items():
        for n, f in enumerate(told or [None]):
            name, says = (f.name, f.told) if f else ("none", "")
            style = "" if f is None or f.works else "red"
            table.add_row(Text(kind if n == 0 else "", "dim"), Text(clean(name)), Text(clean(says), style))
        table.add_section()
    screen().print(table)

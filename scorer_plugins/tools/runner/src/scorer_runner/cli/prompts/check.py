"""`scorer prompts check`: what is wrong with a pack; exit 1 where it can't be used."""

from __future__ import annotations

import json
from typing import Annotated, Any

import attrs
import typer

from .options import AsJson


def command(
    pack: Annotated[str, typer.Argument(metavar="PACK", help="The folder or name of a pack, or a scorer's id.")],
    as_json: AsJson = False,
) -> None:
    """Check a pack against the installed scorers, or a scorer's own templates: each finding with its file and line."""
    from scorer_core.prompting.checks import check_pack

    from ...prompting.packs import to_check

    looked_at, specs = to_check(pack)
    found = check_pack(looked_at, specs)
    if as_json:
        typer.echo(json.dumps([attrs.asdict(f) for f in found], indent=2, ensure_ascii=False))
    else:
        _print(looked_at, found, specs)
    raise typer.Exit(1 if any(f.error for f in found) else 0)


def _print(pack: Any, found: list[Any], specs: Any) -> None:
    from rich.text import Text

    from ...prompting.packs import overrides
    from ...terminal.console import clean, screen
    from ...terminal.figures import many

    console = screen()
    for finding in found:
        how, colour = ("error", "red") if finding.error else ("warning", "yellow")
        place = finding.file + (f":{finding.line}" if finding.line else "")
        console.print(
            Text.assemble((f"{how:<9}", colour), (clean(place), "bold"), f"  {clean(finding.what)}"), soft_wrap=True
        )
        if finding.text:
            console.print(Text(f"         {clean(finding.text)}", style="dim"), soft_wrap=True)
    errors = sum(f.error for f in found)
    told = [many(errors, "error"), many(len(found) - errors, "warning")] if found else ["nothing is wrong"]
    read = overrides(pack, specs)
    what = f"{many(sum(map(len, read.values())), 'template')} of {', '.join(read) or 'no scorer'}"
    console.print(Text.assemble((", ".join(told), "bold"), (f"  {what}", "dim")))

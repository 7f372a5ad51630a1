"""`scorer prompts list`: packs, and what they override."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from .options import AsJson


def command(
    packs: Annotated[
        list[str] | None, typer.Argument(metavar="PACK", help="Folders or names; all that are installed if none.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List packs and the templates they override."""
    from ...prompting.packs import listed, scorers

    specs = scorers()
    told = [_entry(found, specs) for found in listed(packs or ())]
    if as_json:
        typer.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        _print(told)


def _entry(found: Any, specs: Any) -> dict[str, Any]:
    from ...prompting.packs import overrides

    if found.pack is None:
        return {"name": found.name, "source": found.source, "error": found.error}
    about = found.pack.manifest
    return {
        "name": found.name,
        "source": found.source,
        "version": about.version,
        "language": about.language,
        "description": about.description,
        "made_for": dict(about.scorers),
        "overrides": {folder: [*names] for folder, names in overrides(found.pack, specs).items()},
    }


def _print(told: list[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    from ...terminal.console import clean, screen

    console = screen()
    if not told:
        console.print(Text("no packs are installed; begin one: scorer prompts export SCORER FOLDER"))
    for n, pack in enumerate(told):
        about = " · ".join(filter(None, [pack.get("version"), pack.get("language"), pack["source"]]))
        console.print(Text.assemble("\n" if n else "", (clean(pack["name"]), "bold"), (f"  {clean(about)}", "dim")))
        if "error" in pack:
            console.print(Text.assemble(("  broken  ", "red"), clean(pack["error"])))
            continue
        if pack["description"]:
            console.print(Text(f"  {clean(pack['description'])}"))
        table = Table.grid(padding=(0, 3, 0, 0))
        for folder, names in pack["overrides"].items():
            table.add_row(Text(f"  {clean(folder)}"), Text(", ".join(names), style="dim"))
        console.print(table if pack["overrides"] else Text("  overrides nothing that an installed scorer reads"))

"""`scorer show`: all about one scorer."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from scorer_core.plugins import SCORERS, installed, load_scorer


def command(
    scorer: Annotated[str, typer.Argument(metavar="SCORER", help="A scorer's id; see scorer list.")],
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show what a scorer measures, needs, can be set to, and asks."""
    from ..showing.describe import described

    spec = load_scorer(scorer)
    dist = installed(SCORERS)[scorer][0].dist
    told = described(spec, f"{dist.name} {dist.version}" if dist else "an unknown package")
    if as_json:
        typer.echo(json.dumps(told, indent=2))
    else:
        _print(told)


def _print(told: dict[str, Any]) -> None:
    from rich.text import Text

    from ..terminal.console import clean, screen

    console = screen()
    console.print(Text.assemble((told["id"], "bold"), (f"  {clean(told['package'])}", "dim")))
    console.print(Text(clean(told["description"])))
    way = "higher" if told["higher_is"] == "better" else "lower"
    needs = [("needs", ", ".join(told["needs"]) or "nothing")]
    without = [(f"without {need}", why) for need, why in told["without"].items()]
    _block(console, "reading it", [("direction", f"{way} is better"), *needs, *without])
    _block(console, "bands", [(b["range"], b["name"]) for b in told["bands"]])
    _block(console, "options", [(o["name"], _option(o)) for o in told["options"]])
    _block(console, "steps", [(s["step"], _step(s)) for s in told["steps"]])
    if homes := dict.fromkeys(s["path"] for s in told["steps"] if s.get("path")):
        console.print(Text("\ntemplates", style="dim"))
        for path in homes:
            console.print(Text(f"  {path}"), soft_wrap=True)


def _block(console: Any, title: str, rows: list[tuple[str, str]]) -> None:
    """Names and what they mean, side by side under a title; nothing where there are none."""
    if not rows:
        return
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from ..terminal.console import clean

    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in rows:
        table.add_row(Text(clean(name), style="bold"), Text("\n".join(map(clean, text.split("\n")))))
    console.print(Text(f"\n{title}", style="dim"), Padding(table, (0, 0, 0, 2)), sep="\n")


def _option(option: dict[str, Any]) -> str:
    unset = f"{json.dumps(option['default'], ensure_ascii=False)} unless given"
    default = "must be given" if option["required"] else unset
    return "\n".join(filter(None, [option["note"], f"{option['type']}, {default}"]))


def _step(step: dict[str, Any]) -> str:
    return f"{step['does']}: {step.get('template') or step.get('function')}"

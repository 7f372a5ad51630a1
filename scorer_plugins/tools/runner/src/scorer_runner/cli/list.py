"""`scorer list`: what is installed."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from scorer_core import ScorerSpec
from scorer_core.contract.spec import STEPS
from scorer_core.plugins import MODELS, PROMPTS, SCORERS, Plugin, installed, plugins


def command(
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the installed scorers, models and template packs."""
    if as_json:
        told = {"scorers": [_entry(p) for p in plugins(SCORERS)], "models": _named(MODELS), "packs": _named(PROMPTS)}
        typer.echo(json.dumps(told, indent=2))
        return
    _print(plugins(SCORERS))


def _entry(plugin: Plugin) -> dict[str, Any]:
    if plugin.error:
        return {"id": plugin.name, "package": plugin.package, "error": plugin.error}
    spec = plugin.value
    return {
        "id": spec.id,
        "package": plugin.package,
        "version": spec.version,
        "higher_is": spec.higher_is,
        "needs": [*spec.needs_with()],
        "steps": [step for step in STEPS if getattr(spec, step) is not None],
        "asks": [*spec.asks],
        "packs": [*packs_of(spec)],
        "description": spec.description,
    }


def _named(group: str) -> dict[str, str]:
    """Where the entry points of a group come from, by name; from metadata alone, nothing is loaded."""
    return {
        name: " and ".join(f"{p.dist.name} {p.dist.version}" if p.dist else "an unknown package" for p in points)
        for name, points in installed(group).items()
    }


def _print(scorers: list[Plugin]) -> None:
    from rich.text import Text

    from ..console import clean, screen
    from ..summary import ruled

    console = screen()
    table = ruled(("scorer", "what it measures"))
    for n, plugin in enumerate(scorers, 1):
        who = Text.assemble((clean(plugin.name), "bold"), "\n", (clean(plugin.package), "dim"))
        table.add_row(who, Text.assemble(*_about(plugin)), end_section=n < len(scorers))
    console.print(table if scorers else Text("no scorers; try: pip install scorer-faithfulness"))
    for title, group in (("models", MODELS), ("template packs", PROMPTS)):
        told = ", ".join(f"{name} ({package})" for name, package in _named(group).items())
        console.print(Text.assemble((f"\n{title}  ", "dim"), told or "none"), end="")
    console.print(Text.assemble(("\nmore  ", "dim"), "scorer show SCORER"))


def _about(plugin: Plugin) -> tuple[str | tuple[str, str], ...]:
    from ..console import clean

    if plugin.error:
        return (("broken", "red"), f"  {clean(plugin.error)}")
    spec = plugin.value
    way = "higher" if spec.higher_is == "better" else "lower"
    needs = f"{way} is better · needs {', '.join(spec.needs_with()) or 'nothing'}"
    asks = f"asks the judge: {', '.join(spec.asks) or 'nothing'}"
    packs = f" · packs {', '.join(found)}" if (found := packs_of(spec)) else ""
    return clean(spec.description), "\n", (needs, "dim"), "\n", (asks + packs, "dim")


def packs_of(spec: ScorerSpec[Any, Any]) -> list[str]:
    """The installed packs that have words of their own for a scorer."""
    from ..prompting.packs import listed, overrides

    return [p.name for p in listed(()) if p.pack and spec.id in overrides(p.pack, [spec])] if spec.asks else []

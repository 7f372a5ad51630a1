"""`scorer list`: what is installed.

Names and packages come from metadata alone; what a scorer is comes from its spec, so each is imported, on its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scorer_core.contract.trail import STEPS
from scorer_core.plugins import MODELS, PROMPTS, SCORERS, installed, plugins, sources

if TYPE_CHECKING:
    from rich.text import Text

    from scorer_core import ScorerSpec
    from scorer_core.prompting.packs import Pack


def command(
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the installed scorers, models and template packs."""
    scorers = [*entries()]
    others = {"models": _named(MODELS), "packs": _named(PROMPTS)}
    if as_json:
        typer.echo(json.dumps({"scorers": scorers, **others}, indent=2))
    else:
        _print(scorers, others)


def entries() -> Iterator[dict[str, Any]]:
    """What is told of each scorer, in JSON's types; of a broken one, what is wrong."""
    from ..prompting.packs import listed

    packs = [found.pack for found in listed(()) if found.pack]
    for plugin in plugins(SCORERS):
        who = {"id": plugin.name, "package": plugin.package}
        yield who | ({"error": plugin.error} if plugin.error else _about(plugin.value, packs))


def _about(spec: ScorerSpec[Any, Any], packs: Sequence[Pack]) -> dict[str, Any]:
    from ..prompting.packs import overrides

    return {
        "version": spec.version,
        "higher_is": spec.higher_is,
        "needs": [*spec.needs_with()],
        "steps": [step for step in STEPS if getattr(spec, step) is not None],
        "asks": [*spec.asks],
        "packs": [pack.name for pack in packs if spec.asks and spec.id in overrides(pack, [spec])],
        "description": spec.description,
    }


def _named(group: str) -> dict[str, str]:
    """Where the entry points of a group come from, by name; nothing is loaded."""
    return {name: sources(points) for name, points in installed(group).items()}


def _print(scorers: Sequence[Mapping[str, Any]], others: Mapping[str, Mapping[str, str]]) -> None:
    from rich.text import Text

    from ..terminal.console import clean, screen
    from ..terminal.figures import ruled

    console = screen()
    table = ruled(("scorer", "what it measures"))
    for n, entry in enumerate(scorers, 1):
        who = Text.assemble((clean(entry["id"]), "bold"), "\n", (clean(entry["package"]), "dim"))
        table.add_row(who, _told(entry), end_section=n < len(scorers))
    console.print(table if scorers else Text("no scorers; try: pip install scorer-faithfulness"))
    for title, named in (("models", others["models"]), ("template packs", others["packs"])):
        told = ", ".join(f"{name} ({clean(package)})" for name, package in named.items())
        console.print(Text.assemble((f"\n{title}  ", "dim"), told or "none"), end="")
    console.print(Text.assemble(("\nmore  ", "dim"), "scorer show SCORER; a step with * asks the judge"))


def _told(entry: Mapping[str, Any]) -> Text:
    from rich.text import Text

    from ..terminal.console import clean

    if "error" in entry:
        return Text.assemble(("broken", "red"), f"  {clean(entry['error'])}")
    way = "higher" if entry["higher_is"] == "better" else "lower"
    facts = [f"{way} is better", f"needs {', '.join(entry['needs']) or 'nothing'}"]
    facts += [f"packs {', '.join(entry['packs'])}"] if entry["packs"] else []
    facts += [f"version {entry['version']}"] if entry["version"] not in entry["package"].split() else []
    steps = [f"{step}*" if step in entry["asks"] else step for step in entry["steps"]]
    return Text.assemble(clean(entry["description"]), (f"\n{' · '.join(facts)}\n{', '.join(steps)}", "dim"))

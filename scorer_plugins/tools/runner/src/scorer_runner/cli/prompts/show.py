"""`scorer prompts show`: the template that wins, and the chain behind it."""

from __future__ import annotations

import json

import attrs
import typer

from .options import AsJson, Packs, ScorerId, StepName


def command(scorer: ScorerId, step: StepName, prompts: Packs = None, as_json: AsJson = False) -> None:
    """Show the template of a step, with all it extends and includes, and the pack that each file comes from."""
    from rich.text import Text

    from scorer_core import Prompts

    from ...prompting.chain import chain
    from ...prompting.packs import use_of
    from ...terminal.console import clean, screen, tell

    spec, use = use_of(scorer, step)
    links = chain(Prompts(prompts or ()), spec, use)
    if as_json:
        typer.echo(json.dumps([attrs.asdict(link) for link in links], indent=2, ensure_ascii=False))
        return
    console = screen()
    for n, link in enumerate(links):
        where = "the scorer itself" if link.pack == "default" else f"pack {clean(link.pack)}"
        dim = (f"  from {where}  {link.sha256[:12]}", "dim")
        console.print(Text.assemble("\n" if n else "", (clean(link.file), "bold"), dim), soft_wrap=True)
        tell(link.source.rstrip("\n"))

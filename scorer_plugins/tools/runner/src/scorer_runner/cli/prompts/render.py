"""`scorer prompts render`: the exact messages for a row, and no call."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from .options import Language, Maps, Packs, Splits, StepName


def command(
    scorer: Annotated[str, typer.Argument(metavar="ID[:NAME=VALUE,...]", help="A scorer, with options of its own.")],
    step: StepName,
    row: Annotated[
        str | None, typer.Option(metavar="FILE:N", help="The Nth row of a file of data; a made-up one if none.")
    ] = None,
    results: Annotated[
        str | None, typer.Option("--from", metavar="FILE", help="A results file that holds what earlier steps came to.")
    ] = None,
    prompts: Packs = None,
    language: Language = None,
    map: Maps = None,
    split: Splits = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON: a list of messages with role and content.")] = False,
) -> None:
    """Show the messages that a judge would be sent for a row, as they are; nobody is asked."""
    from scorer_core import Prompts, UsageError
    from scorer_core.contract.errors import Failed
    from scorer_core.prompting.checks import rendered

    from ...ordering.values import label_among, scorer_and_options
    from ...prompting.packs import use_of
    from ...prompting.rows import Row, messages
    from ...reading.columns import columns
    from ...terminal.console import screen, tell

    id, options = scorer_and_options(scorer)
    label = label_among(options)
    spec, use = use_of(id, step)
    packs = Prompts(prompts or ())
    if row:
        at = Row.at(row, columns(map or (), split or ()), results, label)
        made = messages(spec, use, at, prompts=packs, options=options, language=language)
    else:
        packs.check(spec)
        try:
            made = [rendered(packs, spec, use, language)]
        except Failed as e:
            raise UsageError(str(e)) from e
    said = "reason" if use.name == "summary" else "user"
    told = [(role, text) for p in made for role, text in (("system", p.instructions), (said, p.text)) if text]
    if as_json:
        typer.echo(json.dumps([{"role": role, "content": text} for role, text in told], indent=2, ensure_ascii=False))
        return
    for n, (role, text) in enumerate(told):
        screen().print("\n" * bool(n) + role, style="dim")
        tell(text)

"""`scorer demo`: what scores look like, in a few seconds, without a key."""

from __future__ import annotations

from typing import Annotated

import typer

NEXT = (
    ("what a score means, its options and where its templates lie", "scorer show faithfulness"),
    ("one scorer, on a file of rows", "scorer run scorer-demo/rows.jsonl --scorer faithfulness --model local"),
    (
        "the same with a template of your own: change scorer-demo/prompts/faithfulness/analyze.j2",
        "scorer run scorer-demo/rows.jsonl --scorer faithfulness --prompts scorer-demo/prompts",
    ),
)
REAL = "real scores: add --model provider:model, for example --model openai:gpt-5-mini"


def command(
    debug: Annotated[bool, typer.Option("--debug", help="Show where an unforeseen error came from.")] = False,
) -> None:
    """Score 24 real rows with four scorers; no key, no network."""
    from rich.text import Text

    from ..demo import demo_plan, telling
    from ..running.session import complaints, exit_code, report, scored
    from ..terminal.console import screen

    plan = demo_plan()
    tally = scored(plan, over=True)
    report(plan, tally, telling(plan.out), title="some of the rows, with the evidence behind their scores")
    complaints(plan, tally)
    console = screen()
    console.print(Text("\nnext", style="bold"))
    for what, line in NEXT:
        console.print(Text.assemble((f"  {what}\n", "dim"), f"    {line}"), soft_wrap=True)
    console.print(Text(f"  {REAL}", style="dim"), soft_wrap=True)
    raise typer.Exit(exit_code(tally))

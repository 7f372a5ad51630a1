"""`scorer plan`: what a run would ask and cost, without a call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import evolve

from ..ordering.order import Applied
from .ordering import takes_order

if TYPE_CHECKING:
    from ..planning.plan import Plan
    from ..running.forecast import Between, Forecast


@takes_order
def command(
    applied: Applied,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an unforeseen error came from.")] = False,
) -> None:
    """Show what a run would ask and cost, without asking.

    All that is wrong is named; no file is written. Prompts are rendered for every row of a file, and for the first
    rows of standard input.
    """
    from ..ordering.trying import Trier
    from ..planning.making import made
    from ..running import forecast
    from ..terminal.console import say

    order = applied.order
    fresh = order.cache_mode != "only" and order.cache and not Path(order.cache).exists()  # nothing is in it
    order = evolve(order, cache=None, cache_name=None, cache_mode="use") if fresh else order
    plan = made(order, Trier([*applied.problems], applied.places))
    try:
        told = forecast.forecast(plan)
    finally:
        if plan.cache:
            plan.cache.close()
    if as_json:
        typer.echo(json.dumps(forecast.as_json(plan, told), indent=2, ensure_ascii=False))
        return
    _print(plan, told)
    for warning in forecast.warnings(plan, told):
        say(f"warning: {warning}", style="yellow")


def _print(plan: Plan, told: Forecast) -> None:
    from rich.text import Text

    from ..running.forecast import ASSUMED
    from ..terminal.console import both_ends, clean, screen, shortened
    from ..terminal.figures import many, ruled

    console = screen()
    judge = f"judge {shortened(plan.model, 60)}" if plan.model else "no judge"
    rows = many(told.rows, "row") if told.whole else f"the first {many(told.rows, 'row')}"
    console.print(
        Text.assemble((f"{rows} · {many(len(plan.scorers), 'scorer')}", "bold"), (f" · {judge}", "dim")), "", sep="\n"
    )
    table = ruled(("scorer", "step", "calls", "tokens sent", "tokens back", *(["cost"] if plan.priced else [])))
    for (label, step), both in told.steps.items():
        table.add_row(Text(both_ends(label), "bold"), step, *_told(told, both))
    table.add_row(Text("all", "bold"), "", *_told(told, told.total))
    console.print(table, "", sep="\n")
    for label, ends in told.ends.items():
        counts = ", ".join(f"{n} {clean(end)}" for end, n in ends.most_common())
        console.print(Text.assemble(("no call  ", "dim"), f"{both_ends(label)}: {counts}"))
    if told.cached:
        console.print(Text.assemble(("cache    ", "dim"), f"{many(told.cached, 'call')} found in it"))
    for assumed in ASSUMED if told.steps else ():
        console.print(Text.assemble(("assumed  ", "dim"), (assumed, "dim")), soft_wrap=True)


def _told(told: Forecast, both: Between) -> list[str]:
    """Calls, tokens and cost as a reader is told them."""
    least, most = both.least, both.most
    counts = [(least.calls, most.calls), (least.sent, most.sent), (least.replied, most.replied)]
    cost = [_cost(told.cost(least), told.cost(most))] if told.judge and told.judge.prices else []
    return [*(_span(f"{a:,}", f"{b:,}") for a, b in counts), *cost]


def _cost(least: Any, most: Any) -> str:
    return "unknown" if least is None or most is None else _span(f"{least:.4g}", f"{most:.4g}")


def _span(least: str, most: str) -> str:
    return least if least == most else f"{least} to {most}"

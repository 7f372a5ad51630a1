"""`scorer config`: what a run would go by, and where each option comes from."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from ..ordering.order import Applied, declared
from .ordering import takes_order


@takes_order
def command(
    applied: Applied,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show which options apply, and where from.

    An option comes from the command line, else from the nearest scorer.toml or pyproject.toml ([tool.scorer]).
    """
    from ..ordering.trying import Trier

    Trier([*applied.problems]).done()
    told = {name: (_safe(name, getattr(applied.order, name)), applied.origin(name)) for name in declared()}
    if as_json:
        options = {name: {"value": value, "from": origin} for name, (value, origin) in told.items()}
        typer.echo(json.dumps(options, indent=2, ensure_ascii=False))
    else:
        _print(told)


def _safe(name: str, value: Any) -> Any:
    """A value in JSON's types, without secrets."""
    from scorer_core.support.scrub import scrubbed

    from ..ordering.models import told_args

    if name == "model_arg":
        return told_args(value)
    if isinstance(value, tuple):
        return [scrubbed(text) for text in value]
    return scrubbed(value) if isinstance(value, str) else value


def _print(told: dict[str, tuple[Any, str]]) -> None:
    from rich.text import Text

    from ..terminal.console import clean, screen
    from ..terminal.figures import ruled

    table = ruled(("option", "value", "from"))
    table.columns[0].no_wrap, table.columns[0].min_width = True, 16
    for name, (value, origin) in told.items():
        texts = value if isinstance(value, list) else [] if value is None else [json.dumps(value).strip('"')]
        style = "dim" if origin == "default" else ""
        table.add_row(Text(name, style="bold"), Text("\n".join(map(clean, texts)), style), Text(clean(origin), style))
    screen().print(table)

"""`scorer prompts`: template packs, looked at, checked and compared before anybody is asked."""

from __future__ import annotations

import typer

from .check import command as check
from .compare import command as compare
from .diff import command as diff
from .export import command as export
from .list import command as list_
from .render import command as render
from .show import command as show

group = typer.Typer(
    name="prompts",
    help="Look at template packs, check and compare them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
for name, command in (
    ("list", list_),
    ("show", show),
    ("render", render),
    ("export", export),
    ("check", check),
    ("diff", diff),
    ("compare", compare),
):
    group.command(name)(command)

"""Commands that other packages add to `scorer`: listed from metadata, loaded when they are called.

An entry point of `scorer_runner.commands` is a function with Typer's annotations, or a `typer.Typer` of several.
"""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from scorer_core.plugins import installed, load, sources

from .ordering import Grouped

COMMANDS = "scorer_runner.commands"


class Extended(TyperGroup):
    """Our own commands, then those that are added; one that is called as one of ours is never reached."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all."""
        return [*super().list_commands(ctx), *(name for name in installed(COMMANDS) if name not in self.commands)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command; of one that is added no more than its help needs."""
        if cmd_name in self.commands or not (points := installed(COMMANDS).get(cmd_name)):
            return super().get_command(ctx, cmd_name)
        return TyperCommand(cmd_name, help=f"Of {sources(points)}.")

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, loaded now."""
        name = args[0]
        if name not in self.commands and name in installed(COMMANDS):
            self.add_command(_loaded(name), name)
        return super().resolve_command(ctx, args)


def _loaded(name: str) -> Any:
    given = load(COMMANDS, name)
    app = given if isinstance(given, typer.Typer) else typer.Typer(add_completion=False, rich_markup_mode=None)
    if app is not given:
        app.command(name, cls=Grouped)(given)
    return typer.main.get_command(app)

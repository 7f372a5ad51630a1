"""The options of `Order` on the command line: those of its fields, read from the fields, under their headings."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from itertools import groupby
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from ..ordering.order import Declared, declared


class Grouped(TyperCommand):
    """A command whose help shows its options by group, in plain text."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, a section for each group, in the order of the parameters."""
        told = [(_heading(p), p.get_help_record(ctx)) for p in self.get_params(ctx)]
        headings = list(dict.fromkeys(heading for heading, _ in told))
        shown = sorted((one for one in told if one[1]), key=lambda one: headings.index(one[0]))
        for heading, entries in groupby(shown, key=lambda one: one[0]):
            with formatter.section(heading):
                formatter.write_dl([record for _, record in entries])


def _heading(parameter: Any) -> str:
    return parameter.rich_help_panel or ("Arguments" if parameter.param_type_name == "argument" else "Options")


def takes_order(command: Callable[..., None]) -> Callable[..., None]:
    """`command` with the options of an order in place of its first parameter; others of its own follow.

    The parameter gets what applies: what was typed, what the settings say, and the defaults.
    """
    _, *own = (p.replace(kind=Parameter.KEYWORD_ONLY) for p in signature(command, eval_str=True).parameters.values())
    parameters = [*map(_parameter, declared().values()), *own, CONTEXT]

    def called(context: typer.Context, **given: Any) -> None:
        from ..ordering.settings import applied

        rest = {parameter.name: given.pop(parameter.name) for parameter in own}
        typed = {name: value for name, value in given.items() if _was_typed(context, name)}
        command(applied({n: tuple(v) if declared()[n].many else v for n, v in typed.items()}), **rest)

    called.__doc__ = command.__doc__
    called.__annotations__ = {p.name: p.annotation for p in parameters}
    called.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return called


CONTEXT = Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)


def _was_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _parameter(declared: Declared) -> Parameter:
    """An option as typer reads it."""
    option = declared.option
    kind: Any = list[str] | None if declared.many else declared.kind
    how: Any = {"help": option.help, "metavar": option.shown, "rich_help_panel": option.group}
    if declared.name == "data":
        asked: Any = Annotated[kind, typer.Argument(**how)]
    else:
        flag = f"{declared.flag}/--no-{declared.flag[2:]}" if kind is bool else declared.flag
        asked = Annotated[kind, typer.Option(flag, min=option.least, max=option.most, **how)]
    default = None if declared.many else declared.default
    return Parameter(declared.name, Parameter.KEYWORD_ONLY, default=default, annotation=asked)

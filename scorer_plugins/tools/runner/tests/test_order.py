from __future__ import annotations

import shlex
import subprocess
import sys
from inspect import signature
from typing import Annotated, Any

import attrs
import typer
from typer.testing import CliRunner

from scorer_runner.cli import app
from scorer_runner.cli.ordering import Grouped, takes_order
from scorer_runner.ordering.order import Applied, Order, declared


def test_every_field_of_an_order_is_an_option_of_the_command_line() -> None:
    told = CliRunner().invoke(app, ["run", "--help"]).output
    assert [*declared()] == [a.name for a in attrs.fields(Order)]
    assert all(f"  {option.flag} " in told for option in declared().values() if option.name != "data")


def test_the_help_shows_options_under_headings_each_once() -> None:
    told = CliRunner().invoke(app, ["run", "--help"]).output
    headings = [line.strip(":") for line in told.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Data", "What to measure", "The judge", "Results", "Limits", "Gates", "Options"]
    assert told.index("Gates:") < told.index("--min-coverage") < told.index("Options:") < told.index("--quiet")


def test_the_overview_shows_commands_and_examples_that_are_right() -> None:
    told = CliRunner().invoke(app, ["--help"]).output
    examples = [line.strip() for line in told.splitlines() if line.startswith("    scorer ")]
    assert len(examples) >= 4
    for example in examples:
        name, *args = shlex.split(example)[1:]
        flags = [arg for arg in args if arg.startswith("--")]
        shown = CliRunner().invoke(app, [name, "--help"]).output
        assert flags
        assert all(f"  {flag} " in shown for flag in flags)


def test_an_unknown_option_is_told_with_what_it_may_be() -> None:
    told = CliRunner().invoke(app, ["run", "rows.jsonl", "--concurency", "3"])
    assert told.exit_code == 2
    assert "No such option: --concurency" in told.output
    assert "--concurrency" in told.output


def command_line(*args: str) -> Order:
    """What a command gets that takes an order."""
    got: list[Any] = []

    def command(applied: Applied, loud: Annotated[bool, typer.Option("--loud")] = False) -> None:
        """Do it."""
        got.extend([applied.order, loud])

    app = typer.Typer(add_completion=False)
    app.command(cls=Grouped)(takes_order(command))
    told = CliRunner().invoke(app, args)
    assert told.exit_code == 0, told.output
    assert got[1] is ("--loud" in args)
    order: Order = got[0]
    return order


def test_a_command_gets_what_was_typed_as_an_order() -> None:
    told = command_line(
        "rows.jsonl", "--scorer", "bias", "--scorer", "faithfulness:scale=10", "--min-coverage", "0.5", "--resume",
        "--limit", "3", "--reasons", "none", "--loud",
    )  # fmt: skip
    assert told == Order(
        data=("rows.jsonl",), scorer=("bias", "faithfulness:scale=10"), min_coverage=0.5, resume=True, limit=3,
        reasons="none",
    )  # fmt: skip


def test_what_was_not_typed_is_as_in_an_order_made_in_python() -> None:
    assert command_line("rows.jsonl") == Order(data=("rows.jsonl",))


def test_a_command_keeps_its_own_options_behind_those_of_the_order() -> None:
    def command(applied: Applied, loud: bool = False) -> None:
        """Do it."""

    taken = takes_order(command)
    assert [*signature(taken).parameters] == [*declared(), "loud", "context"]
    assert taken.__doc__ == "Do it."


def test_what_an_order_is_costs_no_import_of_the_command_line() -> None:
    code = (
        "import sys, scorer_runner.ordering.order; "
        "print(*(m for m in ('typer', 'rich', 'scorer_core') if m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60).stdout == "\n"

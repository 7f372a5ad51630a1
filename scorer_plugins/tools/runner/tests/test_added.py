"""Commands that other packages add to `scorer`: listed from metadata, loaded when they are called."""

from __future__ import annotations

from typing import Any

CODE = """
from typing import Annotated
import typer

print("imported")

def page(file: Annotated[str, typer.Argument(help="The results.")], top: Annotated[int, typer.Option(help="Rows")] = 3):
    'Make a page of results.'
    typer.echo(f"{top} rows of {file}")

many = typer.Typer(help="Look at traces.")

@many.command()
def fetch():
    raise typer.Exit(1)

@many.command()
def fails():
    raise ValueError("no trace")
"""
POINTS = {"page": "page", "traces": "many", "gone": "nothing", "run": "page"}


def test_an_added_command_is_run_with_its_options_and_its_help(scorer: Any, install: Any) -> None:
    install(CODE, scorer_runner__commands=POINTS)
    done = scorer("page", "results.jsonl", "--top", "5")
    assert (done.code, done.out) == (0, "5 rows of results.jsonl\n")
    help = scorer("page", "--help").out
    assert "Make a page of results." in help
    assert "--top" in help
    assert scorer("page").code == 2


def test_several_commands_under_one_name_give_their_exit_codes(scorer: Any, install: Any) -> None:
    install(CODE, scorer_runner__commands=POINTS)
    assert scorer("traces", "fetch").code == 1
    failed = scorer("traces", "fails")
    assert (failed.code, "ValueError: no trace" in failed.err) == (3, True)
    assert "fetch" in scorer("traces", "--help").out


def test_the_help_names_added_commands_and_their_packages_and_loads_none(scorer: Any, install: Any) -> None:
    install(CODE, scorer_runner__commands=POINTS)
    done = scorer("--help")
    assert "page     Of scorer-odd 1.0." in done.out
    assert "imported" not in done.out + done.err
    assert "run      Score a file of rows." in done.out


def test_a_broken_command_is_told_with_its_package_and_hurts_no_other(scorer: Any, install: Any) -> None:
    install(CODE, scorer_runner__commands=POINTS)
    done = scorer("gone")
    assert done.code == 2
    assert "command 'gone' of scorer-odd 1.0 does not load: AttributeError" in done.err
    assert scorer("--version").code == 0
    assert "nothing to measure" in scorer("run").err

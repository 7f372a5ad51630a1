"""The command `scorer`, a file for each command; what goes wrong becomes a message and an exit code in `main` alone.

Exit codes: 0 done, 1 a gate missed, 2 wrong usage, 3 finished with failed rows or stopped, 130 interrupted.
"""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from scorer_core import UsageError

from ..terminal.console import clean, for_any_terminal, say, show_no_more, warnings_said
from .added import Extended
from .cache import command as cache
from .config import command as config
from .demo import command as demo
from .doctor import command as doctor
from .export import command as export
from .list import command as list_
from .new import command as new
from .ordering import Grouped
from .plan import command as plan
from .prompts import group as prompts
from .rescore import command as rescore
from .run import command as run
from .show import command as show

EXAMPLES = """\b
Begin with: scorer demo

\b
Examples:
  scorer run answers.jsonl --scorer faithfulness --model openai:gpt-5-mini
  scorer run answers.jsonl --scorer bias --gate 'bias<=0.1' --out results.jsonl
  scorer plan answers.jsonl --scorer faithfulness --prices prices.toml
  scorer rescore results.jsonl --scorer faithfulness --from-step analyze --prompts mine
  scorer export results.jsonl --out results.csv
"""
app = typer.Typer(
    name="scorer",
    cls=Extended,
    help="Score what language models say, and see the evidence behind each number.",
    epilog=EXAMPLES,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS: dict[str, Callable[..., None]] = {
    "demo": demo,
    "run": run,
    "rescore": rescore,
    "plan": plan,
    "config": config,
    "export": export,
    "list": list_,
    "show": show,
    "doctor": doctor,
    "new": new,
    "cache": cache,
}
for name, command in COMMANDS.items():
    app.command(name, cls=Grouped)(command)
app.add_typer(prompts)


def _version(asked: bool) -> None:
    if asked:
        from importlib_metadata import version

        typer.echo(f"scorer {version('scorer-runner')} (scorer-core {version('scorer-core')})")
        raise typer.Exit


@app.callback()
def _scorer(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main(args: Sequence[str] | None = None) -> int:
    """Run a command line, by default that of the process; gives back the exit code."""
    given = [*(sys.argv[1:] if args is None else args)]
    for_any_terminal()
    try:
        command = typer.main.get_command(app)
        with warnings_said(quiet="--quiet" in given), command.make_context("scorer", given) as context:
            command.invoke(context)
            if sys.stdout is not None:  # it may be closed
                sys.stdout.flush()
    except typer.Exit as e:
        return e.exit_code
    except KeyboardInterrupt as e:
        say(f"scorer: {str(e) or 'interrupted'}")
        return 130
    except UsageError as e:
        say(f"scorer: {e}")
        return 2
    except BrokenPipeError:
        show_no_more()
        return 3
    except Exception as e:
        if isinstance(e, OSError) and e.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            show_no_more()
            say(f"scorer: what was to be written is not whole: {e.strerror}")
            return 3
        return _unforeseen(e, debug="--debug" in given)
    return 0


def _unforeseen(error: Any, *, debug: bool) -> int:
    """The exit code for an error of the command line's parser, or for one that nobody thought of."""
    if hasattr(error, "show") and hasattr(error, "exit_code"):
        error.show()
        return 2
    if debug:
        traceback.print_exception(error)
        return 3
    say(f"scorer: {type(error).__name__}: {clean(error)}; run again with --debug to see where")
    return 3

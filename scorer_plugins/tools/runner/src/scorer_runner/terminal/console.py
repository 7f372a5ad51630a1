"""What a person sees: texts that are safe to show, on any terminal."""

from __future__ import annotations

import codecs
import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

WIDTH = 100  # where no terminal tells its own
LONG = 150  # characters of a text that are enough to know it by
_ESCAPES = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]|\x1b.?", re.S)
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
_CODES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+")
_INSTEAD = {"✓": "+", "✗": "x", "█": "#", "░": ".", "·": "-", "…": "~", "–": "-", "“": '"', "”": '"', "─": "-"}


def for_any_terminal() -> None:
    """Let standard output and error replace what they can't show, instead of failing."""
    codecs.register_error("shown_otherwise", _otherwise)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="shown_otherwise")


def _otherwise(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start : error.end]
    return "".join(_INSTEAD.get(c, "?" * max(cell_len(c), 1)) for c in lost), error.end


def without_codes(text: str) -> str:
    """`text` without what would steer a terminal; its lines and tabs are kept."""
    return _CODES.sub("", _ESCAPES.sub("", text) if "\x1b" in text or "\x9b" in text else text)


def clean(text: Any) -> str:
    """`text` in one line, without what would steer a terminal: escape sequences, control and bidirectional marks."""
    return " ".join(_UNSEEN.sub(" ", _ESCAPES.sub("", str(text))).split())


def shortened(text: Any, most: int) -> str:
    """`text` clean, and cut to `most` characters."""
    told = clean(text)
    return told if len(told) <= most else f"{told[: most - 1].rstrip()}…"


def both_ends(text: Any, most: int = 40) -> str:
    """`text` clean, and cut in its middle to `most` characters: labels of one scorer differ at their ends."""
    told, half = clean(text), most // 2
    return told if len(told) <= most else f"{told[: most - half]}…{told[1 - half :]}"


class _Screen(Console):
    def on_broken_pipe(self) -> None:
        """Let whoever prints know; rich would end the process, with the code of a gate that was missed."""
        raise BrokenPipeError


def screen(*, stderr: bool = False) -> Console:
    """Standard output, or error, as rich writes to it."""
    console = _Screen(stderr=stderr, highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        console.width = WIDTH
    return console


def harmless(text: str) -> str:
    """`text`, line by line, without what would steer a terminal."""
    return "\n".join(_UNSEEN.sub(" ", _ESCAPES.sub("", line)) for line in text.split("\n"))


def say(message: str, *, style: str = "") -> None:
    """Tell the user something that is no result: on standard error, if anybody reads that."""
    with suppress(OSError):
        screen(stderr=True).print(Text(harmless(message), style=style), soft_wrap=True)


def show_no_more() -> None:
    """Let what is still to be shown on standard output go nowhere: it can't be written, or nobody reads it."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Said(logging.Handler):
    """Tells the user what the core warns of."""

    def emit(self, record: logging.LogRecord) -> None:
        say(f"warning: {record.getMessage()}", style="yellow")


@contextmanager
def warnings_said(*, quiet: bool = False) -> Iterator[None]:
    """Meanwhile what the core warns of is told on standard error, unless that is to be `quiet`."""
    log, handler = logging.getLogger("scorer_core"), _Said(logging.WARNING)
    if not quiet:
        log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


def tell(text: str) -> None:
    """Put a text on standard output as it is; on a terminal without what would steer it."""
    print(harmless(text) if sys.stdout.isatty() else text)  # noqa: T201

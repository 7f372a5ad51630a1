"""Results as lines: each is written whole, or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from scorer_core import RunResult, ScorerError

Write = Callable[[RunResult], None]


class Unwritable(ScorerError):
    """A result could not be written, as on a full disk; all lines before it are whole."""


def to_file(file: BinaryIO, path: Path, digest: str) -> Write:
    """A function that writes a result to the end of an unbuffered file, as a whole line or not at all.

    Args:
        file: Where lines are added.
        path: Its name.
        digest: That of the run's description.

    The function raises `Unwritable` where a line can't be written.
    """
    whole = os.fstat(file.fileno()).st_size

    def write(result: RunResult) -> None:
        nonlocal whole
        left = memoryview(line := _line(result, digest))
        try:
            while left:
                left = left[file.write(left) :]
        except OSError as e:
            with suppress(OSError):
                file.truncate(whole)
                file.seek(whole)
            raise Unwritable(f"{str(path)!r} can't be written: {e.strerror}") from e
        whole += len(line)

    return write


def to_stdout(digest: str) -> Write:
    """A function that writes a result to standard output, as it is now; see `to_file`."""
    out = sys.stdout

    def write(result: RunResult) -> None:
        try:
            out.buffer.write(_line(result, digest))
            out.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as e:
            os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())  # what is left can't be written either
            raise Unwritable(f"standard output can't be written: {e.strerror}") from e

    return write


def _line(result: RunResult, digest: str) -> bytes:
    return f'{result.to_json()[:-1]}, "run": "{digest}"}}\n'.encode()

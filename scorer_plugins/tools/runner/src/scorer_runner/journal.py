"""The results of a run as JSON Lines: a file that is never overwritten, flushed line by line, described beside it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest, sha256
from itertools import count, takewhile
from pathlib import Path
from typing import Any, BinaryIO

from scorer_core import RunResult, UsageError

STDOUT = "-"
USUAL = "results.jsonl"
Write = Callable[[RunResult], None]


def place(out: str | None, *, resume: bool = False) -> Path | None:
    """Where results go: `out`, or the first free of results.jsonl, results-2.jsonl, ...; None is standard output.

    To resume, the file may be there; without `out` it is the last of those that are.

    Raises:
        UsageError: the file, or its description, is there already, or the folder is not.
    """
    if out == STDOUT:
        if resume:
            raise UsageError("--resume goes on with a file; name it: --out FILE")
        return None
    if out is None and resume:
        return [Path(USUAL), *takewhile(Path.exists, _usual())][-1]
    if out is None:
        return next(path for path in _usual() if not path.exists() and not description_of(path).exists())
    path = Path(out)
    if not path.parent.is_dir():
        raise UsageError(f"--out {out}: no folder {str(path.parent)!r}; make it first")
    for taken in (path, description_of(path)):
        if taken.exists() and not resume:
            what = "choose another name, or remove it; --resume goes on with the run it is of"
            raise UsageError(f"--out {out}: {str(taken)!r} is there already; {what}")
    return path


def description_of(path: Path) -> Path:
    """The file beside the results that describes their run."""
    return path.with_name(f"{path.name}.run.json")


@contextmanager
def journal(path: Path | None, description: Mapping[str, Any], *, over: bool = False) -> Iterator[Write]:
    """A function that writes a result as a line that carries the digest of its run's description.

    Args:
        path: The file; None for standard output, which has no description beside it.
        description: What the run is.
        over: Whether files of an earlier run are written over.

    Raises:
        UsageError: a file is there already, or can't be made.
    """
    text = f"{json.dumps(description, ensure_ascii=False, indent=2, allow_nan=False)}\n".encode(errors="replace")
    digest = sha256(text).hexdigest()
    if path is None:
        yield lambda result: write_line(sys.stdout.buffer, result, digest)
        return
    with _made(path, over) as file:
        with _made(description_of(path), over) as beside:
            beside.write(text)
            beside.flush()
            os.fsync(beside.fileno())  # without it the results can't be gone on with
        yield lambda result: write_line(file, result, digest)


def sha256_of(source: str) -> str | None:
    """The digest of a file of data; None for standard input."""
    if source == "-":
        return None
    with open(source, "rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _usual() -> Iterator[Path]:
    yield Path(USUAL)
    stem, dot, ending = USUAL.partition(".")
    yield from (Path(f"{stem}-{n}{dot}{ending}") for n in count(2))


def _made(path: Path, over: bool) -> BinaryIO:
    try:
        return open(path, "wb" if over else "xb")
    except FileExistsError as e:
        raise UsageError(f"{str(path)!r} is there already; choose another name with --out, or remove it") from e
    except OSError as e:
        raise UsageError(f"{str(path)!r} can't be written: {e.strerror}; choose another place with --out") from e


def write_line(file: BinaryIO, result: RunResult, digest: str) -> None:
    """Write a result of the run whose description has that digest."""
    file.write(f'{result.to_json()[:-1]}, "run": "{digest}"}}\n'.encode())
    file.flush()

"""The results of a run as JSON Lines: a file that is never overwritten, written line by line, described beside it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import file_digest, sha256
from itertools import count, takewhile
from pathlib import Path
from typing import Any, BinaryIO

from scorer_core import RunResult, ScorerError, UsageError

from .parts import MOST, next_part, parts_of

STDOUT = "-"
USUAL = "results.jsonl"
Write = Callable[[RunResult], None]


class Unwritable(ScorerError):
    """A result could not be written, as on a full disk; all lines before it are whole."""


def place(out: str | None, *, resume: bool = False) -> Path | None:
    """Where results go: `out`, or the first free of results.jsonl, results-2.jsonl, ...; None is standard output.

    To resume, the file may be there; without `out` it is the last of those that are.

    A name that ends in `/` is that of a folder, for the parts of large results.

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
    path, parts = Path(out), is_folder(out)
    if path.is_dir() and not parts:
        remedy = f"name a file: --out {path / USUAL}; or a folder for parts: --out {path}/"
        raise UsageError(f"--out {out}: that is a folder; {remedy}")
    if parts and path.exists() and not path.is_dir():
        raise UsageError(f"--out {out}: {str(path)!r} is a file; name a folder for the parts, or leave out the '/'")
    if not path.parent.is_dir():
        raise UsageError(f"--out {out}: no folder {str(path.parent)!r}; make it first")
    for taken in (*parts_of(path), description_of(path)):
        if taken.exists() and not resume:
            what = "choose another name, or remove it; --resume goes on with the run it is of"
            raise UsageError(f"--out {out}: {str(taken)!r} is there already; {what}")
    return path


def is_folder(out: str | None) -> bool:
    """Whether results go to the parts of a folder."""
    return out is not None and out.endswith(("/", os.sep))


def description_of(path: Path) -> Path:
    """The file beside the results that describes their run."""
    return path.with_name(f"{path.name}.run.json")


@contextmanager
def journal(
    path: Path | None, description: Mapping[str, Any], *, over: bool = False, parts: bool = False
) -> Iterator[Write]:
    """A function that writes a result as a line that carries the digest of its run's description.

    Args:
        path: The file; None for standard output, which has no description beside it.
        description: What the run is.
        over: Whether files of an earlier run are written over.
        parts: Whether `path` is a folder for parts.

    Raises:
        UsageError: a file is there already, or can't be made.
    """
    text = f"{json.dumps(description, ensure_ascii=False, indent=2, allow_nan=False)}\n".encode(errors="replace")
    digest = sha256(text).hexdigest()
    if path is None:
        yield _to_stdout(digest)
        return
    if parts:
        _make_folder(path)
        _describe(description_of(path), text, over)
        with in_parts(path, digest) as write:
            yield write
        return
    with _made(path, over) as file:
        try:
            _describe(description_of(path), text, over)
        except UsageError:
            if not over:
                path.unlink()
            raise
        yield to_file(file, path, digest)


@contextmanager
def in_parts(folder: Path, digest: str) -> Iterator[Write]:
    """A function that writes results to new parts of a folder, each of `MOST` lines at most."""
    current: tuple[BinaryIO, Write] | None = None
    left = 0

    def write(result: RunResult) -> None:
        nonlocal current, left
        if current is None or not left:
            if current:
                current[0].close()
            try:
                file = open(part := next_part(folder), "xb", buffering=0)  # noqa: SIM115
            except OSError as e:
                raise Unwritable(f"{str(part)!r} can't be written: {e.strerror}") from e
            current, left = (file, to_file(file, part, digest)), MOST
        current[1](result)
        left -= 1

    try:
        yield write
    finally:
        if current:
            current[0].close()


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


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(exist_ok=True)
    except OSError as e:
        raise _cant_be_made(path, e) from e


def _describe(path: Path, text: bytes, over: bool) -> None:
    with _made(path, over) as beside:
        try:
            beside.write(text)
            os.fsync(beside.fileno())  # without it the results can't be gone on with
        except OSError as e:
            path.unlink()
            raise _cant_be_made(path, e) from e


def _made(path: Path, over: bool) -> BinaryIO:
    try:
        return open(path, "wb" if over else "xb", buffering=0)
    except FileExistsError as e:
        raise UsageError(f"{str(path)!r} is there already; choose another name with --out, or remove it") from e
    except OSError as e:
        raise _cant_be_made(path, e) from e


def _cant_be_made(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{str(path)!r} can't be written: {error.strerror}; choose another place with --out")


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


def _to_stdout(digest: str) -> Write:
    def write(result: RunResult) -> None:
        try:
            sys.stdout.buffer.write(_line(result, digest))
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as e:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left can't be written either
            raise Unwritable(f"standard output can't be written: {e.strerror}") from e

    return write


def _line(result: RunResult, digest: str) -> bytes:
    return f'{result.to_json()[:-1]}, "run": "{digest}"}}\n'.encode()

"""The results of a run as JSON Lines: a file that is never overwritten, written line by line, described beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest, sha256
from itertools import count, takewhile
from pathlib import Path
from typing import Any, BinaryIO

from scorer_core import UsageError

from .lines import is_parquet
from .parts import Form, in_parts, is_folder, parts_of
from .writing import Write, to_file, to_stdout

STDOUT = "-"
USUAL = "results.jsonl"


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
    if parts and path.name in ("", ".."):
        raise UsageError(f"--out {out}: name a folder for the parts: --out {path / 'results'}/")
    if is_parquet(path) and not parts:
        remedy = f"name another file and make it of that with scorer export; or --out {path.with_suffix('')}/ for parts"
        raise UsageError(f"--out {out}: a file of results is JSON Lines; {remedy}, which --format parquet makes so")
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


def description_of(path: Path) -> Path:
    """The file beside the results that describes their run."""
    named = path if path.name else path.resolve()  # "." has no name of its own
    return named.with_name(f"{named.name}.run.json")


@contextmanager
def journal(
    path: Path | None, description: Mapping[str, Any], *, over: bool = False, parts: Form | None = None
) -> Iterator[Write]:
    """A function that writes a result as a line that carries the digest of its run's description.

    Args:
        path: The file; None for standard output, which has no description beside it.
        description: What the run is.
        over: Whether files of an earlier run are written over.
        parts: The form of the parts, if `path` is a folder for them.

    Raises:
        UsageError: a file is there already, or can't be made.
    """
    text = f"{json.dumps(description, ensure_ascii=False, indent=2, allow_nan=False)}\n".encode(errors="replace")
    digest = sha256(text).hexdigest()
    if path is None:
        yield to_stdout(digest)
        return
    if parts:
        _make_folder(path)
        _describe(description_of(path), text, over)
        with in_parts(path, digest, parts) as write:
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

"""Going on with a run that was stopped: what stands in its file is kept, and the rest is scored."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from scorer_core import UsageError

from .differences import differences
from .journal import description_of
from .kept import Earlier, Kept, KeptFile
from .lines import is_parquet, lines_in, put_lines
from .parts import Form, in_parts, parts_of
from .writing import Write, to_file


def earlier_run(path: Path, description: Mapping[str, Any], *, retry: bool = False) -> Earlier | None:
    """The run whose results are in `path`, if it is the one described; None if there is none, or it never began.

    Raises:
        UsageError: it is another run, or there is nothing to tell that by.
    """
    beside = description_of(path)
    if not path.exists() and not beside.exists():
        return None
    if not path.is_file() and not path.is_dir():
        raise UsageError(f"--resume: {str(beside)!r} is there, but {str(path)!r} is no file; choose another --out")
    told = _bytes_of(beside)
    try:
        differ = differences(json.loads(told), json.loads(json.dumps(description)))
    except (ValueError, TypeError, LookupError, AttributeError) as e:
        if not sum(part.stat().st_size for part in parts_of(path)):
            return None  # killed before its description was there
        why = "is not there" if not told else f"is no description of a run ({e})"
        raise UsageError(f"--resume: {str(beside)!r}, which tells what the run was, {why}; choose another --out") from e
    if differ:
        head = f"--resume: {str(path)!r} was made by a run that differs from this one; it was left as it is:"
        raise UsageError("\n".join([head, *differ]))
    return Earlier(path, sha256(told).hexdigest(), retry, description["data"]["sha256"] is not None)


@contextmanager
def going_on(kept: Kept, parts: Form | None = None) -> Iterator[Write]:
    """A function that writes a result below those that are kept; all else is taken out of the file first.

    Args:
        kept: What is kept of the run.
        parts: What its parts become, where it has some.

    Raises:
        UsageError: the file can't be written.
    """
    path = kept.earlier.path
    for part in kept.files:
        try:
            _cut(part)
        except OSError as e:
            raise UsageError(f"--resume: {str(part.path)!r} can't be written: {e.strerror}") from e
    if path.is_dir():
        with in_parts(path, kept.earlier.run, parts or "jsonl") as write:
            yield write
        return
    try:
        file = open(path, "ab", buffering=0)  # noqa: SIM115
    except OSError as e:
        raise UsageError(f"--resume: {str(path)!r} can't be written: {e.strerror}") from e
    with file:
        yield to_file(file, path, kept.earlier.run)


def _cut(kept: KeptFile) -> None:
    """Take out of a file what is not kept, and end its last line; lines in Parquet have their ends."""
    path = kept.path.resolve()
    if kept.dropped:
        put_lines(_left(kept, path), path)
    elif not is_parquet(path):
        os.truncate(path, kept.size)
        if not kept.ended:
            with open(path, "ab") as file:
                file.write(b"\n")


def _left(kept: KeptFile, path: Path) -> Iterator[bytes]:
    """The lines that are kept, each with its end."""
    left = kept.size
    with closing(lines_in(path)) as lines:
        for number, raw in enumerate(lines, 1):
            if left <= 0:
                break
            left -= len(raw)
            if number not in kept.dropped:
                yield raw if raw.endswith(b"\n") else raw + b"\n"


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as e:
        raise UsageError(f"--resume: {str(path)!r} can't be read: {e.strerror}") from e

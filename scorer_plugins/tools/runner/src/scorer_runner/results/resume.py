"""Going on with a run that was stopped: what stands in its file is kept, and the rest is scored."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from scorer_core import UsageError

from .differences import differences
from .journal import Write, description_of, in_parts, to_file
from .kept import Earlier, Kept, KeptFile
from .parts import parts_of


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
def going_on(kept: Kept) -> Iterator[Write]:
    """A function that writes a result below those that are kept; all else is taken out of the file first.

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
        with in_parts(path, kept.earlier.run) as write:
            yield write
        return
    try:
        file = open(path, "ab", buffering=0)  # noqa: SIM115
    except OSError as e:
        raise UsageError(f"--resume: {str(path)!r} can't be written: {e.strerror}") from e
    with file:
        yield to_file(file, path, kept.earlier.run)


def _cut(kept: KeptFile) -> None:
    """Take out of a file what is not kept, and end its last line."""
    path = kept.path.resolve()
    if kept.dropped:
        _replace(path, kept)
        return
    os.truncate(path, kept.size)
    if not kept.ended:
        with open(path, "ab") as file:
            file.write(b"\n")


def _replace(path: Path, kept: KeptFile) -> None:
    """Put the lines that are kept into a new file, and that in the place of the old one."""
    with open(path, "rb") as old, NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as new:
        try:
            left = kept.size
            for number, raw in enumerate(old, 1):
                if left <= 0:
                    break
                left -= len(raw)
                if number not in kept.dropped:
                    new.write(raw if raw.endswith(b"\n") else raw + b"\n")
            new.flush()
            os.fsync(new.fileno())
            new.close()
            shutil.copymode(path, new.name)
            old.close()
            os.replace(new.name, path)
        except BaseException:
            new.close()
            with suppress(OSError):
                os.unlink(new.name)
            raise


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as e:
        raise UsageError(f"--resume: {str(path)!r} can't be read: {e.strerror}") from e

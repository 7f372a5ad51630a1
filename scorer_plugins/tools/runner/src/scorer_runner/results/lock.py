"""One run at a time for a file: a lock that ends with its process, however that ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from scorer_core import UsageError

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 30  # others can't read what is locked: not where the number stands

    def _take(file: int) -> None:
        os.lseek(file, FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_of(path: Path) -> Path:
    """The file beside `path` that holds the number of the process that writes to it; taken away when that is over.

    Raises:
        UsageError: `path` is a link that leads back to itself.
    """
    try:
        place = path.resolve()
    except (OSError, RuntimeError) as e:  # links in a circle
        raise UsageError(f"{str(path)!r} can't be written: {e}; choose another place with --out") from e
    return place.with_name(f"{place.name}.lock")


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Nobody else's run writes to `path` meanwhile, where the file system knows locks.

    Raises:
        UsageError: another run does, whose process is named; or no file can be made beside `path`.
    """
    beside = lock_of(path)
    file = _locked(path, beside)
    try:
        with suppress(OSError):  # on a full disk the lock holds all the same, and the results tell of it
            os.truncate(file, 0)
            os.write(file, str(os.getpid()).encode())
        yield
    finally:
        with suppress(OSError):  # Windows keeps what is open
            beside.unlink()
        os.close(file)


def _locked(path: Path, beside: Path) -> int:
    """The lock's file, which nobody else has."""
    while True:
        try:
            file = os.open(beside, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as e:
            raise UsageError(f"{str(path)!r} can't be written: {e.strerror}; choose another place with --out") from e
        try:
            _take(file)
        except (BlockingIOError, PermissionError) as e:
            who = os.read(file, 20).decode("ascii", "replace")
            os.close(file)
            what = "wait until it is over, or choose another place with --out"
            raise UsageError(f"{str(path)!r} is written to by another run, process {who or '?'}; {what}") from e
        except OSError:
            return file  # no locks here
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), os.stat(beside)):
                return file
        os.close(file)  # taken away by who had it before

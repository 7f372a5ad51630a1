"""Going on with a run that was stopped: what stands in its file is kept, and the rest is scored."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b, sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import attrs
from attrs import field, frozen

from scorer_core import RunResult, Scorer, UsageError
from scorer_core.rows import Row
from scorer_core.schema import ErrorInfo
from scorer_core.scoring import Needed
from scorer_core.spec import STEPS

from .differences import differences
from .journal import Write, description_of, write_line

_STATUS = ("scored", "not_scorable", "failed")
_LEFT_OUT = ("error", "judge", "templates", "notes", *(f"{step}_prompt" for step in STEPS))
_NEEDED = {a.name for a in attrs.fields(RunResult) if a.default is attrs.NOTHING} | {"row_id", "index", "error"}
_OF_ERROR = {a.name for a in attrs.fields(ErrorInfo)}
_SUMMED = tuple(a.name for a in attrs.fields(RunResult) if a.name not in _LEFT_OUT)


@frozen
class Earlier:
    """A run that can go on.

    Args:
        path: Its results.
        run: The digest of its description.
        retry: Whether what failed is done again.
        placed: Whether a row is known by its place in the data, too; rows of a stream are known by their id alone.
    """

    path: Path
    run: str
    retry: bool = False
    placed: bool = True


@frozen(eq=False)
class Digests:
    """A set of digests that takes little more than their bytes."""

    _tails: dict[bytes, bytearray] = field(init=False, factory=dict)

    def add(self, digest: bytes) -> None:
        """Put `digest` in; it is not there yet."""
        self._tails.setdefault(digest[:2], bytearray()).extend(digest[2:])

    def __contains__(self, digest: bytes) -> bool:
        tails, tail = self._tails.get(digest[:2], b""), digest[2:]
        at = tails.find(tail)
        while at % len(tail) and at >= 0:
            at = tails.find(tail, at + 1)
        return at >= 0


@frozen(eq=False)
class Kept:
    """What is kept of an earlier run.

    Args:
        earlier: The run.
        done: What is not done again: a digest of each row and scorer.
        size: Where the last whole line ends, in bytes.
        ended: Whether that line has its line end.
        dropped: The numbers of the lines that are done again.
    """

    earlier: Earlier
    done: Digests = field(repr=False)
    size: int
    ended: bool
    dropped: frozenset[int] = field(repr=False)

    def missing(self, scorers: Sequence[Scorer]) -> Needed:
        """A function that tells which of `scorers` a row still needs."""

        def needed(row: Row) -> Sequence[Scorer]:
            return [
                s for s in scorers if _key(self.earlier, row.index, row.row_id, row.repeat, s.label) not in self.done
            ]

        return needed


def earlier_run(path: Path, description: Mapping[str, Any], *, retry: bool = False) -> Earlier | None:
    """The run whose results are in `path`, if it is the one described; None if there is none, or it never began.

    Raises:
        UsageError: it is another run, or there is nothing to tell that by.
    """
    beside = description_of(path)
    if not path.exists() and not beside.exists():
        return None
    if not path.is_file():
        raise UsageError(f"--resume: {str(beside)!r} is there, but {str(path)!r} is no file; choose another --out")
    told = _bytes_of(beside)
    try:
        differ = differences(json.loads(told), json.loads(json.dumps(description)))
    except (ValueError, TypeError, LookupError, AttributeError) as e:
        if not path.stat().st_size:
            return None  # killed before its description was there
        why = "is not there" if not told else f"is no description of a run ({e})"
        raise UsageError(f"--resume: {str(beside)!r}, which tells what the run was, {why}; choose another --out") from e
    if differ:
        head = f"--resume: {str(path)!r} was made by a run that differs from this one; it was left as it is:"
        raise UsageError("\n".join([head, *differ]))
    return Earlier(path, sha256(told).hexdigest(), retry, description["data"]["sha256"] is not None)


def kept_of(earlier: Earlier, labels: Sequence[str], count: Callable[[RunResult], None]) -> Kept:
    """What is kept of a run's file, which is only read; each result that is kept is given to `count`, in short.

    Raises:
        UsageError: a line that is not the last can't be read, or is no result of this run.
    """
    done, dropped, size, ended = Digests(), list[int](), 0, True
    try:
        with open(earlier.path, "rb") as file:
            for number, raw in enumerate(file, 1):
                ended = raw.endswith(b"\n")
                line = _read(raw)
                if line is None and not ended:
                    ended = True
                    break
                if wrong := _wrong_with(line, earlier.run, labels):
                    raise UsageError(f"--resume: {str(earlier.path)!r}, line {number}: {wrong}; it was left as it is")
                size += len(raw)
                if earlier.retry and line["status"] == "failed":
                    dropped.append(number)
                else:
                    done.add(_key(earlier, line["index"], line["row_id"], line.get("repeat"), line["scorer_label"]))
                    count(_in_short(line))
    except OSError as e:
        raise UsageError(f"--resume: {str(earlier.path)!r} can't be read: {e.strerror}") from e
    return Kept(earlier, done, size, ended, frozenset(dropped))


@contextmanager
def going_on(kept: Kept) -> Iterator[Write]:
    """A function that writes a result below those that are kept; all else is taken out of the file first.

    Raises:
        UsageError: the file can't be written.
    """
    path = kept.earlier.path.resolve()
    try:
        if kept.dropped:
            _replace(path, kept)
        else:
            os.truncate(path, kept.size)
        file = open(path, "ab")  # noqa: SIM115
    except OSError as e:
        raise UsageError(f"--resume: {str(path)!r} can't be written: {e.strerror}") from e
    with file:
        if not kept.ended and not kept.dropped:
            file.write(b"\n")
        yield lambda result: write_line(file, result, kept.earlier.run)


def _replace(path: Path, kept: Kept) -> None:
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


def _key(earlier: Earlier, index: Any, row_id: str | None, repeat: int | None, label: str) -> bytes:
    place = index if earlier.placed or row_id is None else ""
    told = f"{place}\0{'' if row_id is None else f'={row_id}'}\0{repeat or ''}\0{label}"
    return blake2b(told.encode("utf-16-le", "surrogatepass"), digest_size=16).digest()


def _read(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _wrong_with(line: Any, run: str, labels: Sequence[str]) -> str:
    if line is None:
        return "not JSON"
    if not isinstance(line, dict) or not line.keys() >= _NEEDED or line["status"] not in _STATUS:
        return "not a result"
    if (line["status"] == "failed") != (isinstance(line["error"], dict) and line["error"].keys() >= _OF_ERROR):
        return "not a result"
    return "" if line.get("run") == run and line.get("scorer_label") in labels else "a result of another run"


def _in_short(line: dict[str, Any]) -> RunResult:
    """The result in a line, without what the judge was sent and what it replied."""
    error = ErrorInfo(**{name: line["error"][name] for name in _OF_ERROR}) if line["error"] else None
    return RunResult(error=error, **{name: line[name] for name in _SUMMED if name in line})


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as e:
        raise UsageError(f"--resume: {str(path)!r} can't be read: {e.strerror}") from e

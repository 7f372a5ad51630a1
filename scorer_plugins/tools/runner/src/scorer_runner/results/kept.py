"""What a run's file holds: which rows are done by which scorer, and each result that is kept, in short."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import attrs
from attrs import field, frozen

from scorer_core import RunResult, Scorer, UsageError
from scorer_core.contract.plain import plain
from scorer_core.contract.schema import SCHEMA_VERSION, ErrorInfo
from scorer_core.contract.trail import STEPS
from scorer_core.evaluating.scoring import Needed
from scorer_core.runs.rows import Row
from scorer_core.support.digests import Digests

from .lines import lines_in
from .parts import parts_of

_STATUS = ("scored", "not_scorable", "failed")
_OF_ERROR = {a.name for a in attrs.fields(ErrorInfo)}
_REQUIRED = [a.name for a in attrs.fields(RunResult) if a.default is attrs.NOTHING]
_BLANK = plain(RunResult(**dict.fromkeys(_REQUIRED, "")))  # type: ignore[arg-type]
_LEFT_OUT = {name: _BLANK[name] for name in (*(f"{step}_prompt" for step in STEPS), "options", "templates", "judge")}
_IN_SHORT = (*(a.name for a in attrs.fields(RunResult) if a.name not in _LEFT_OUT), "run")
_ALWAYS = {*_REQUIRED, "row_id", "index", "error"}
_AGAIN = "the row and scorer of a line before it; remove one of the two"
_decoded = json.JSONDecoder().raw_decode


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


@frozen
class KeptFile:
    """What is kept of a file.

    Args:
        path: The file.
        size: Where the last whole line ends, in bytes.
        ended: Whether that line has its line end.
        dropped: The numbers of the lines that are done again.
    """

    path: Path
    size: int
    ended: bool = True
    dropped: frozenset[int] = field(default=frozenset(), repr=False)


@frozen(eq=False)
class Kept:
    """What is kept of an earlier run.

    Args:
        earlier: The run.
        done: What is not done again: a digest of each row and scorer.
        files: Its results: one file, or the parts of a folder.
    """

    earlier: Earlier
    done: Digests = field(repr=False)
    files: Sequence[KeptFile]

    def missing(self, scorers: Sequence[Scorer]) -> Needed:
        """A function that tells which of `scorers` a row still needs."""

        def needed(row: Row) -> Sequence[Scorer]:
            place = (self.earlier, row.index, row.row_id, row.repeat)
            return [s for s in scorers if _key(*place, s.label) not in self.done]

        return needed


def kept_of(earlier: Earlier, labels: Sequence[str], count: Callable[[RunResult], None]) -> Kept:
    """What is kept of a run's results, which are only read; each that is kept is given to `count`, in short.

    Raises:
        UsageError: a line that is not the last can't be read, or is no result of this run.
    """
    done = Digests()
    return Kept(earlier, done, [_kept_in(file, earlier, labels, done, count) for file in parts_of(earlier.path)])


def _kept_in(
    path: Path, earlier: Earlier, labels: Sequence[str], done: Digests, count: Callable[[RunResult], None]
) -> KeptFile:
    dropped, size, ended = list[int](), 0, True
    try:
        with closing(lines_in(path)) as lines:
            for number, raw in enumerate(lines, 1):
                ended = raw.endswith(b"\n")
                line = _read(raw, whole=not ended)
                if line is None and not ended:
                    ended = True
                    break
                if wrong := _wrong_with(line, earlier.run, labels):
                    raise UsageError(f"--resume: {str(path)!r}, line {number}: {wrong}; it was left as it is")
                size += len(raw)
                if earlier.retry and line["status"] == "failed":
                    dropped.append(number)
                    continue
                key = _key(earlier, line["index"], line["row_id"], line["repeat"], line["scorer_label"])
                if key in done:
                    raise UsageError(f"--resume: {str(path)!r}, line {number}: {_AGAIN}; it was left as it is")
                done.add(key)
                count(_result(line))
    except OSError as e:
        raise UsageError(f"--resume: {str(path)!r} can't be read: {e.strerror}") from e
    return KeptFile(path, size, ended, frozenset(dropped))


def _key(earlier: Earlier, index: Any, row_id: str | None, repeat: int | None, label: str) -> bytes:
    place = index if earlier.placed or row_id is None else ""
    told = f"{place}\0{'' if row_id is None else f'={row_id}'}\0{repeat or ''}\0{label}"
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _read(raw: bytes, *, whole: bool) -> Any:
    """What a line holds, in short; None where that is not JSON, nothing where it is no result."""
    try:
        line, end = _decoded(text := "" if whole else _shortened(raw))
        if isinstance(line, dict) and tuple(line) == _IN_SHORT and text[end:] == "\n":
            return line
    except (ValueError, RecursionError):
        pass
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict) or not line.keys() >= _ALWAYS:
        return ()
    return {name: line.get(name, _BLANK.get(name)) for name in _IN_SHORT}


def _shortened(raw: bytes) -> str:
    """A line as `RunResult.to_json` writes it, without the piece from prompts to judge: most of its bytes.

    A key of that name inside a user's own values would make a wrong cut: what is left is no JSON then, or lacks keys.
    """
    prompts, usage = raw.find(b', "preprocess_prompt": '), raw.rfind(b', "usage": ')
    return (raw[:prompts] + raw[usage:]).decode() if 0 < prompts < usage else ""


def _wrong_with(line: Any, run: str, labels: Sequence[str]) -> str:
    if line is None:
        return "not JSON"
    if not line:
        return "not a result"
    if line["schema_version"] != SCHEMA_VERSION:
        return f"a result of schema version {line['schema_version']}, where this one writes {SCHEMA_VERSION}"
    error = line["error"]
    told = error is None or (isinstance(error, dict) and error.keys() >= _OF_ERROR)
    if line["status"] not in _STATUS or not told or (line["status"] == "failed") != (error is not None):
        return "not a result"
    return "" if line.get("run") == run and line["scorer_label"] in labels else "a result of another run"


def _result(line: dict[str, Any]) -> RunResult:
    """The result in a line, as far as it was read; making a true one takes as long as all the rest."""
    error = line["error"] and ErrorInfo(**{name: line["error"][name] for name in _OF_ERROR})
    return cast(RunResult, SimpleNamespace(**{**_LEFT_OUT, **line, "error": error}))

"""Results as a flat table: a line a row and scorer, or one a row; the columns are named the same every time."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from scorer_core import UsageError

from .journal import description_of
from .lines import Lines
from .parts import results_in

Columns = Mapping[str, type]
Line = Mapping[str, Any]
OF_ROW: Columns = dict.fromkeys(("id", "input", "output", "context", "ground_truth", "metadata"), str)
OF_SCORE: Columns = {"score": float, "status": str, "reason": str, "error": str, "band": str, "vacuous": bool}
SPENT: Columns = {"calls": int, "input_tokens": int, "output_tokens": int, "cost": float, "duration_ms": float}
PLACE: Columns = {"index": int, "repeat": int}
LONG: Columns = {**OF_ROW, "scorer": str, **OF_SCORE, "scale": float, **SPENT, **PLACE}

NO_PLACE = "results tell no place (index) of their rows; score_dataset(..., index=COLUMN) or numbered(rows) gives one"


@frozen
class Table:
    """Results, read as their lines are asked for.

    Args:
        path: Their file, or the folder of their parts.
        columns: The columns, in order, and the type of their values; any value may be None.
        lines: The lines.
    """

    path: Path
    columns: Columns
    lines: Iterator[Line]


def long(path: Path) -> Table:
    """A line for each row and scorer, in the order of the file."""
    return Table(path, LONG, (_line(result) for _, result in _results(path)))


def wide(path: Path) -> Table:
    """A line for each row, in the order of the rows, with columns for each scorer: `LABEL`, `LABEL.status`, ...

    Of each line of the file 16 bytes are kept.

    Raises:
        UsageError: a result tells no place of its row, which those of one row are found together by.
    """
    labels: dict[str, None] = {}
    keys, places = array("q"), array("q")
    for at, result in _results(path):
        if result["index"] is None:
            raise UsageError(f"{str(path)!r}: {NO_PLACE}; a line a result needs none: leave out --wide")
        labels.setdefault(str(result["scorer_label"]))
        keys.append(result["index"] << 16 | (result.get("repeat") or 0))
        places.append(at)
    scores = {_named(label, name): kind for label in labels for name, kind in OF_SCORE.items()}
    return Table(path, {**OF_ROW, **scores, **SPENT, **PLACE}, _rows(path, keys, places))


def _named(label: str, column: str) -> str:
    return label if column == "score" else f"{label}.{column}"


def _rows(path: Path, keys: array[int], places: array[int]) -> Iterator[Line]:
    """One line after the other; those of one row stand together once they are sorted."""
    line: dict[str, Any] = {}
    before = None
    with Lines(results_in(path)) as lines:
        for n in sorted(range(len(keys)), key=keys.__getitem__):
            if keys[n] != before and line:
                yield line
                line = {}
            flat, before = _line(json.loads(lines.at(places[n]))), keys[n]
            scores = {_named(flat["scorer"], name): flat[name] for name in OF_SCORE}
            spent = {name: _sum(line.get(name), flat[name]) for name in SPENT}
            line = {**line, **{name: flat[name] for name in (*OF_ROW, *PLACE)}, **scores, **spent}
    if line:
        yield line


def _sum(before: Any, more: Any) -> Any:
    """Both, as far as they are known."""
    return more if before is None else before if more is None else before + more


def _results(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each result with its place in bytes; a last line that was cut off is left out.

    Raises:
        UsageError: the file can't be read, or a line is no result.
    """
    try:
        if not (files := results_in(path)) and not description_of(path.absolute()).exists():
            raise UsageError(f"{str(path)!r} can't be read: it is a folder without results")
        for at, where, raw in Lines(files):
            if (result := _result(raw)) is not None:
                yield at, result
            elif raw.endswith(b"\n"):
                raise UsageError(f"{where}: not a result, as scorer run writes them")
    except OSError as e:
        raise UsageError(f"{str(path)!r} can't be read: {e.strerror}") from e


def _result(raw: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) and told.keys() >= {"scorer_label", "status", "index"} else None


def _line(result: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: result.get(name) for name in LONG}
    told |= {name: _text(told[name]) for name in ("input", "output", "context", "ground_truth", "metadata", "reason")}
    error, usage = result.get("error") or {}, result.get("usage") or {}
    return told | {
        "id": result.get("row_id"),
        "scorer": result["scorer_label"],
        "error": f"{error.get('kind')}: {error.get('message')}" if error else None,
        "calls": _calls(result.get("judge") or {}),
        "input_tokens": usage.get("input_tokens"),
        "output_tokens": usage.get("output_tokens"),
    }


def _calls(judge: Mapping[str, Sequence[Mapping[str, Any]]]) -> int:
    return sum(e.get("attempts") or 0 for done in judge.values() for e in done if not e.get("cached"))


def _text(value: Any) -> str | None:
    """A text as it is, anything else as JSON."""
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)

"""The needs of scorers against what the rows hold: which are met, and which columns may meet the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from scorer_core import Options, ScorerSpec
from scorer_core.contract.settings import suggestion

from .columns import FIELDS, Columns
from .paths import column_of
from .survey import Survey

_FIELD_OF = {"answer": "output", "question": "input", "context_source": "context"}
_USUAL = {
    "input": ("question", "query", "prompt", "user_input", "instruction", "user"),
    "output": ("answer", "response", "actual_output", "prediction", "completion", "generated", "reply", "result"),
    "context": ("contexts", "retrieved_contexts", "retrieval_context", "passages", "documents", "chunks", "evidence"),
    "ground_truth": (
        "reference", "expected_output", "expected_answer", "expected", "gold", "best_answer", "correct_answer",
        "target",
    ),
}  # fmt: skip
Asking = tuple[str, ScorerSpec[Any, Any], Options]  # a scorer's label, what it is, and its options


def met_by_target(found: Survey) -> None:
    """Count in what a target may give: an answer, a context, and questions in turns."""
    asked = {"question"} if {"turns", "inputs"} & found.columns.keys() else set()
    for met in (found.met, *found.own.values()):
        met |= {"answer", "context", "context_source"} | asked


def unknown_columns(found: Survey, how: Columns) -> list[str]:
    """A message a mapped column that no row has."""
    return [
        f"--map {asked}={path}: {_not_there(path, found)} (have: {listed(found.columns)})"
        for asked, path in how.told.items()
        if found.columns and path not in found.read
    ]


def _not_there(path: str, found: Survey) -> str:
    column = column_of(found.columns, path)
    if column != path and column in found.columns:
        return f"no row has anything there; {column!r} is a column, look at what it holds"
    return f"no column {column!r}{suggestion(column, found.columns)}"


def unknown_scorers(how: Columns, labels: Sequence[str]) -> list[str]:
    """A message a `--map` for a scorer that is not asked for."""
    return [
        f"--map {label}.{name}={path}: no scorer {label!r} is asked for{suggestion(label, labels)} "
        f"(have: {', '.join(labels)})"
        for label, own in how.own.items()
        for name, path in own.items()
        if label not in labels
    ]


def unmet_needs(
    data: str, found: Survey, how: Columns, scorers: Sequence[Asking], target: str | None = None
) -> list[str]:
    """One message about the fields that scorers, or a target, need and no row has, if there are any."""
    asking: dict[str, list[str]] = {}
    if target is not None:
        met_by_target(found)
        asking = {} if "question" in found.met else {"input": [target]}
    for label, spec, options in scorers:
        for need in spec.needs_with(options):
            lifted = need == "ground_truth" and not getattr(options, "require_ground_truth", True)
            if need not in found.own.get(label, found.met) and not lifted:
                asking.setdefault(_FIELD_OF.get(need, need), []).append(label)
    if not asking or not found.columns:
        return []
    wide = max(map(len, asking))
    lines = [
        f"  {name:{wide}}  for {', '.join(dict.fromkeys(labels))}{_emptied(name, found, how)}"
        for name, labels in asking.items()
    ]
    maps = " ".join(f"--map {name}={_nearest(name, found, how)}" for name in asking)
    return [
        "\n".join(
            [
                f"no row of {data} has what is needed:",
                *lines,
                f"the columns are: {listed(found.columns)}",
                f"tell which one holds it: {maps}",
                *_deeper(found),
                *_otherwise_separated(found),
            ]
        )
    ]


def _deeper(found: Survey) -> list[str]:
    inner = [name for name in found.columns if name in found.nested]
    where = "where they are the rows of a .json file, tell --rows-at"
    return [f"of these, {listed(inner)} holds objects: {where}"] if inner else []


def _otherwise_separated(found: Survey) -> list[str]:
    (name, *more) = found.columns
    signs = {"\t": "tabs; name the file .tsv", ";": "semicolons; save it with commas"}
    return [f"it is one column: its cells seem to be separated by {told}" for sign, told in signs.items()
            if not more and sign in name]  # fmt: skip


def _emptied(name: str, found: Survey, how: Columns) -> str:
    column = column_of(found.columns, how.of(name, found.columns))
    return f"; the column {column!r} is empty in every row" if found.columns.get(column) is False else ""


def listed(columns: Iterable[str]) -> str:
    """Column names for a message."""
    names = list(columns)
    return ", ".join(names[:40]) + (f" and {len(names) - 40} more" if len(names) > 40 else "")


def _nearest(name: str, found: Survey, how: Columns) -> str:
    """The column that most looks like holding a field; `COLUMN` where none does."""
    filled = [column for column, filled in found.columns.items() if filled]
    plain: Mapping[str, str] = {column.lower().replace(" ", "_"): column for column in reversed(filled)}
    taken = {*how.maps.values(), *how.known.values()}
    free = {p: c for p, c in plain.items() if c not in FIELDS and c not in taken}
    for usual in (*_USUAL.get(name, ()), name):
        if usual in free:
            return _quoted(free[usual])
    near = (get_close_matches(usual, free, n=1, cutoff=0.75) for usual in (name, *_USUAL.get(name, ())))
    return next((_quoted(free[n[0]]) for n in near if n), "COLUMN")


def _quoted(column: str) -> str:
    return f'"{column}"' if " " in column else column

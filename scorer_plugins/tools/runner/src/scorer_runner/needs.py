"""The needs of scorers against what the rows hold: which are met, and which columns may meet the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from scorer_core import Options, ScorerSpec
from scorer_core.settings import suggestion

from .columns import FIELDS, Columns
from .dataset import shown_name
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


def met_by_target(found: Survey) -> None:
    """Count in what a target may give: an answer, a context, and questions in turns."""
    found.met |= {"answer", "context", "context_source"}
    found.met |= {"question"} if {"turns", "inputs"} & found.columns.keys() else set()


def unknown_columns(found: Survey, how: Columns) -> list[str]:
    """A message a mapped column that no row has."""
    have = listed(found.columns)
    return [
        f"--map {field}={column}: no column {column!r}{suggestion(column, found.columns)} (have: {have})"
        for field, column in how.maps.items()
        if found.columns and column not in found.columns
    ]


def unmet_needs(
    source: str,
    found: Survey,
    how: Columns,
    scorers: Sequence[tuple[ScorerSpec[Any, Any], Options]],
    target: str | None = None,
) -> list[str]:
    """One message about the fields that scorers, or a target, need and no row has, if there are any."""
    asking: dict[str, list[str]] = {}
    if target is not None:
        met_by_target(found)
        asking = {} if "question" in found.met else {"input": [target]}
    for spec, options in scorers:
        for need in spec.needs_with(options):
            lifted = need == "ground_truth" and not getattr(options, "require_ground_truth", True)
            if need not in found.met and not lifted:
                asking.setdefault(_FIELD_OF.get(need, need), []).append(spec.id)
    if not asking or not found.columns:
        return []
    wide = max(map(len, asking))
    lines = [
        f"  {name:{wide}}  for {', '.join(dict.fromkeys(ids))}{_emptied(name, found, how)}"
        for name, ids in asking.items()
    ]
    maps = " ".join(f"--map {name}={_nearest(name, found, how)}" for name in asking)
    return [
        "\n".join(
            [
                f"no row of {shown_name(source)} has what is needed:",
                *lines,
                f"the columns are: {listed(found.columns)}",
                f"tell which one holds it: {maps}",
            ]
        )
    ]


def _emptied(name: str, found: Survey, how: Columns) -> str:
    column = how.of(name, found.columns)
    return f"; the column {column!r} is empty in every row" if column in found.columns else ""


def listed(columns: Iterable[str]) -> str:
    """Column names for a message."""
    names = list(columns)
    return ", ".join(names[:40]) + (f" and {len(names) - 40} more" if len(names) > 40 else "")


def _nearest(name: str, found: Survey, how: Columns) -> str:
    """The column that most looks like holding a field; `COLUMN` where none does."""
    filled = [column for column, filled in found.columns.items() if filled]
    plain = {column.lower().replace(" ", "_"): column for column in reversed(filled)}
    free = {p: c for p, c in plain.items() if c not in FIELDS and c not in how.maps.values()}
    for usual in (*_USUAL.get(name, ()), name):
        if usual in free:
            return _quoted(free[usual])
    near = (get_close_matches(usual, free, n=1, cutoff=0.75) for usual in (name, *_USUAL.get(name, ())))
    return next((_quoted(free[n[0]]) for n in near if n), "COLUMN")


def _quoted(column: str) -> str:
    return f'"{column}"' if " " in column else column

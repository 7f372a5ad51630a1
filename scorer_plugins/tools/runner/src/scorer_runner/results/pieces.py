"""What an analyze step said about each piece of an answer, read without knowing the scorer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from scorer_core import RunResult

from ..terminal.console import LONG, shortened

_LABELS, _REASONS = ("verdict", "result", "match_type"), ("reason", "explanation")
_BETTER = {"yes": 1.0, "unsure": 0.5, "no": 0.0, "exact": 1.0, "semantic": 0.8, "partial": 0.5, "missing": 0.0}


@frozen
class Piece:
    """One thing the judge was asked about: what it said, of what, why, and how good that is, in [0, 1] or unknown."""

    label: str
    text: str
    reason: str = ""
    chunk: str = ""
    good: float | None = None


def pieces_of(result: RunResult) -> Iterator[Piece]:
    """What the analyze step holds, read without knowing the scorer: every list of mappings or texts in it."""
    found = result.analyze_step_result
    lists = found.items() if isinstance(found, Mapping) else [("", found)]
    for name, items in lists:
        for item in items if isinstance(items, list) else ():
            yield _piece(str(name), item, result)


def _piece(name: str, item: Any, result: RunResult) -> Piece:
    """One item: its label stands in a known key, else it is the list's name; its text is the first of the others."""
    of_list = name.replace("_", " ").removesuffix("s")
    if not isinstance(item, Mapping):
        return Piece(of_list, str(item), good=_goodness(name, "", result.higher_is))
    key = next((k for k in _LABELS if isinstance(item.get(k), str)), None)
    label = str(item[key]) if key else of_list
    reason = next((item[k] for k in _REASONS if isinstance(item.get(k), str)), "")
    texts = [v for k, v in item.items() if isinstance(v, str) and k not in (*_LABELS, *_REASONS)]
    return Piece(
        label,
        texts[0] if texts else "",
        reason,
        _chunk(item.get("chunk"), result),
        _goodness(name, label, result.higher_is),
    )


def _goodness(name: str, label: str, higher_is: str) -> float | None:
    if name == "contradictions":
        return 0.0
    good = _BETTER.get(label)
    return 1 - good if good is not None and label in ("yes", "no", "unsure") and higher_is == "worse" else good


def _chunk(number: Any, result: RunResult) -> str:
    """The piece of context a verdict rests on."""
    chunks = result.context if isinstance(result.context, list) else []
    if not isinstance(number, int) or not 0 < number <= len(chunks):
        return ""
    chunk = chunks[number - 1]
    return f"context {number}: “{shortened(chunk['text'] if isinstance(chunk, Mapping) else chunk, LONG)}”"

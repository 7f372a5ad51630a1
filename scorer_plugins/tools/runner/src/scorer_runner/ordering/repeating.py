"""Rows that are done several times: when a result passes, as typed, and what the repeats come to, as told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scorer_core import Scorer, UsageError
from scorer_core.contract.settings import suggestion
from scorer_core.evaluating.repeats import Passing, Repeats

from .values import value_of


def passing_of(texts: Sequence[str], scorers: Sequence[Scorer]) -> Mapping[str, Passing]:
    """When a result passes, by label, from `LABEL=SCORE`; labels may hold a `=` of their own.

    Raises:
        UsageError: a text is of another form, or names no scorer of the run; all at once.
    """
    labels, found, wrong = [s.label for s in scorers], dict[str, Passing](), list[str]()
    for text in texts:
        label, _, told = text.rpartition("=")
        value = value_of(told)
        if not label:
            wrong.append(f"--passes {text}: expected LABEL=SCORE, as in {labels[0]}=0.7")
        elif label not in labels:
            wrong.append(f"--passes {text}: no scorer {label!r}{suggestion(label, labels)} (have: {', '.join(labels)})")
        elif isinstance(value, bool) or not isinstance(value, (int, float)):
            wrong.append(f"--passes {text}: expected a number, got {told!r}")
        else:
            found[label] = Passing(value)
    if wrong:
        raise UsageError("\n".join(wrong))
    return found


def repeats_of(scorers: Sequence[Scorer], times: int, passing: Mapping[str, Passing]) -> dict[str, Repeats]:
    """What the repeats will come to, by label; nothing is counted where rows are done once and nothing is to pass."""
    counted = scorers if times > 1 or passing else ()
    return {s.label: Repeats(s.label, times, passing.get(s.label)) for s in counted}


def told_of(repeats: Iterable[Repeats]) -> list[tuple[str, str]]:
    """What the repeats of those scorers come to for which it was said when a result passes."""
    return [(r.label, str(r)) for r in repeats if r.passing]

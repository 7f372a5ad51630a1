"""Labels: what people said of rows, read from a column of the metadata and set beside scores by a stated rule.

A label tells how good a row is, and so does a score, by its scorer's direction. A label of two kinds (yes or no) is
compared with whether the score is on the good side of a threshold; a label of numbers by correlation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from scorer_core import UsageError
from scorer_core.runs.metadata import NONE, told

from .agreement import Metric, agreement, kappa, pearson, spearman

FEW = 10  # different numbers up to which labels are ratings, of which only the order counts


@frozen
class Rule:
    """How scores are set beside labels.

    Args:
        column: Where the label stands.
        good: The label of good rows, for labels of two kinds; None for numbers.
        metrics: By name; the first one decides.
        low: Whether low numbers are good.
        threshold: The score from which on a row is good, in the scorer's own units; half the scale unless given.
    """

    column: str
    good: str | None
    metrics: Mapping[str, Metric]
    low: bool = False
    threshold: float | None = None

    def label(self, metadata: Any) -> float | None:
        """A row's label as a number: 1 for good and 0 for others, or as it is; None where it has none."""
        word = told(metadata, self.column)
        if word == NONE:
            return None
        if self.good is not None:
            return float(word.strip().casefold() == self.good.casefold())
        number = _number(word)
        return None if number is None else -number if self.low else number

    def value(self, result: Mapping[str, Any]) -> float:
        """What is set beside the label: whether the score is good, or how good it is."""
        score, scale, better = result["score"], result["scale"], result["higher_is"] == "better"
        if self.good is None:
            return float(score / scale if better else 1 - score / scale)
        bound = scale / 2 if self.threshold is None else self.threshold
        return float(score >= bound if better else score <= bound)

    def said(self, result: Mapping[str, Any]) -> str:
        """The rule in a sentence, for the scorer of a result."""
        better = result["higher_is"] == "better"
        if self.good is None:
            way = "low" if self.low else "high"
            return f"{self.column}: {way} numbers are good, as are {'high' if better else 'low'} scores"
        bound = result["scale"] / 2 if self.threshold is None else self.threshold
        return f"{self.column} {self.good!r} should have a score of {bound:g} or {'more' if better else 'less'}"


def rule_of(column: str, words: Sequence[str], positive: str | None, threshold: float | None) -> Rule:
    """The rule for labels with these words.

    Args:
        column: Where they stand.
        words: All labels that there are, in texts or JSON.
        positive: The label of good rows; of numbers, "low" where low ones are good.
        threshold: See `Rule`.

    Raises:
        UsageError: there are no labels, or nothing tells which of them are good.
    """
    kinds = list(dict.fromkeys(word.strip() for word in words if word != NONE))
    if not kinds:
        raise UsageError(f"--label {column}: no row has a label there")
    numbers = [_number(kind) for kind in kinds]
    if None not in numbers and {*numbers} != {0.0, 1.0} and positive in (None, "low", "high"):
        metrics = {"Spearman's correlation": spearman} if len(kinds) <= FEW else {"Pearson's correlation": pearson}
        return Rule(column, None, metrics, positive == "low")
    good = positive if positive is not None else next((k for k in kinds if k.casefold() in ("true", "1", "1.0")), None)
    if good is None or good.casefold() not in [kind.casefold() for kind in kinds]:
        have = ", ".join(repr(kind) for kind in kinds[:FEW])
        raise UsageError(f"--label {column}: tell which label means a good row: --positive LABEL (there are: {have})")
    return Rule(column, good, {"agreement": agreement, "Cohen's kappa": kappa}, threshold=threshold)


def _number(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None

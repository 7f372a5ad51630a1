"""Rows that were scored several times: their scores, whether they pass, and what may be expected of further tries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import comb, isfinite
from typing import Any, Literal, TypeAlias

import attrs
from attrs import define, field, frozen

from ..contract.errors import UsageError
from ..contract.schema import RunResult
from ..contract.settings import one_of
from ..support.log import warn_once
from ..support.raised import error_text
from .statistics import Moments, holds, one_more
from .summary import ROUNDING

Passes: TypeAlias = "float | Callable[[RunResult], bool | None]"
Rule = Literal["mean", "majority", "all", "any"]


def _a_bound(_: object, __: object, value: Any) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
    if not number and not callable(value):
        raise UsageError(f"passes: expected a score or a function of a result, got {value!r}")


@frozen
class Passing:
    """When a result passes, and when a row does that was scored several times.

    Args:
        passes: The score from which on a result passes, in the scorer's units (up to which, where higher is worse); or
            a function that is given each result, failed ones too, and gives True, False, or None for no verdict.
        rule: "mean": the mean of the scores passes; "majority" (more than half), "all", "any": so many of the results
            that have a verdict do. A bound has "mean" unless given, a function, which has no mean, "majority".
    """

    passes: Passes = field(validator=_a_bound)
    rule: Rule = field(
        default=attrs.Factory(lambda me: "majority" if callable(me.passes) else "mean", takes_self=True),
        validator=one_of("mean", "majority", "all", "any"),
    )

    def __attrs_post_init__(self) -> None:
        if self.rule == "mean" and callable(self.passes):
            raise UsageError("passes is a function, which has no mean: pass_rule may be 'majority', 'all' or 'any'")

    def verdict(self, result: RunResult) -> bool | None:
        """Whether `result` passes; None is no verdict: to a bound, what failed, is not scorable or vacuous has none."""
        if callable(self.passes):
            return self._told(self.passes, result)
        return None if result.score is None or result.vacuous else self.met(result.score, result)

    def _told(self, function: Callable[[RunResult], bool | None], result: RunResult) -> bool | None:
        try:
            told = function(result)
        except Exception as e:
            warn_once(f"passes raised {error_text(e)}")
            return None
        return None if told is None else bool(told)

    def met(self, score: float, like: RunResult) -> bool:
        """Whether a score in the units of a result meets the bound."""
        assert not callable(self.passes)
        side: Literal[">=", "<="] = ">=" if like.higher_is == "better" else "<="
        return holds(score, side, self.passes, rounding=ROUNDING * like.scale)


@frozen(kw_only=True)
class RepeatedRow:
    """What the repeats of one row come to, by one scorer.

    Args:
        label: The scorer's label.
        index: The row's place, counted from 0.
        row_id: The row's id, as its results have it.
        scores: By repeat; None where there is none, or a vacuous one.
        verdicts: By repeat, whether it passes; None where there is no verdict.
        passes: Whether the row does, by the rule; None where no repeat has a verdict.
        mean: Of the scores that are there; None without any.
        deviation: Their standard deviation, of a sample; None below two.
    """

    label: str
    index: int
    row_id: str | None
    scores: tuple[float | None, ...]
    verdicts: tuple[bool | None, ...]
    passes: bool | None
    mean: float | None
    deviation: float | None

    @property
    def unstable(self) -> bool:
        """Whether some repeats pass and others do not."""
        return True in self.verdicts and False in self.verdicts


@frozen
class Expected:
    """An expectation over so many rows; None over no row."""

    share: float | None
    rows: int


@define
class Repeats:
    """What the repeats of all rows come to, by one scorer; of the rows themselves only those that go on are kept.

    Args:
        label: The scorer's label.
        times: How often each row is scored.
        passing: When a result passes; None: there are no verdicts.
        unstable: How many rows have repeats that pass and others that do not.
    """

    label: str
    times: int
    passing: Passing | None = None
    unstable: int = 0
    _counts: Counter[tuple[int, int]] = field(factory=Counter, init=False)
    _open: dict[tuple[int, str | None], dict[int, RunResult]] = field(factory=dict, init=False, repr=False)

    def add(self, result: RunResult) -> RepeatedRow | None:
        """Count a result in; the row it is of, if it is the last of that."""
        row, repeat = (result.index or 0, result.row_id), result.repeat or 1
        there = self._open.setdefault(row, {})
        there[repeat] = result
        return self._close(row) if len(there) == self.times else None

    def close(self) -> list[RepeatedRow]:
        """The rows of which some repeats never came, as far as they did."""
        return [self._close(row) for row in list(self._open)]

    def pass_at(self, k: int) -> Expected:
        """How likely at least one of `k` tries passes (pass@k): the unbiased estimate, over rows with `k` verdicts.

        Its `share` is the estimate, in [0, 1], or None over no row; `rows` is how many rows it is over.

        Source: Chen et al. (2021), "Evaluating large language models trained on code".
        """
        return self._expected(k, lambda n, c: 1 - comb(n - c, k) / comb(n, k))

    def pass_hat(self, k: int) -> Expected:
        """How likely all of `k` tries pass (pass^k): the unbiased estimate, over rows with `k` verdicts.

        Its `share` is the estimate, in [0, 1], or None over no row; `rows` is how many rows it is over.

        Source: Yao et al. (2024), "tau-bench".
        """
        return self._expected(k, lambda n, c: comb(c, k) / comb(n, k))

    def _expected(self, k: int, of: Callable[[int, int], float]) -> Expected:
        enough = {(n, c): rows for (n, c), rows in self._counts.items() if n >= k}
        rows = sum(enough.values())
        return Expected(sum(of(n, c) * m for (n, c), m in enough.items()) / rows if rows else None, rows)

    def _close(self, of: tuple[int, str | None]) -> RepeatedRow:
        there = self._open.pop(of)
        row = repeated(self.label, [there[n] for n in sorted(there)], self.passing)
        judged = [v for v in row.verdicts if v is not None]
        self._counts[len(judged), sum(judged)] += 1
        self.unstable += row.unstable
        return row

    def __str__(self) -> str:
        if self.passing is None:
            return f"{self.times} repeats"
        ks = (1, self.times) if self.times > 1 else (1,)
        told = [("pass@", k, self.pass_at(k)) for k in ks] + [("pass^", self.times, self.pass_hat(self.times))]
        shown = [f"{name}{k} {e.share:.2f} over {e.rows}" for name, k, e in told if e.share is not None]
        return " · ".join([*shown, f"{self.unstable} unstable"])


def repeated(label: str, results: Sequence[RunResult], passing: Passing | None) -> RepeatedRow:
    """What the results (1 or more) of one row by one scorer come to, in their order."""
    scores = tuple(None if r.vacuous else r.score for r in results)
    verdicts = tuple(passing.verdict(r) if passing else None for r in results)
    moments = Moments()
    for score in scores:
        moments = moments if score is None else one_more(moments, score)
    mean = moments.mean if moments.count else None
    return RepeatedRow(
        label=label,
        index=results[0].index or 0,
        row_id=results[0].row_id,
        scores=scores,
        verdicts=verdicts,
        passes=_passes(passing, verdicts, mean, results[0]),
        mean=mean,
        deviation=moments.deviation,
    )


def _passes(
    passing: Passing | None, verdicts: Sequence[bool | None], mean: float | None, like: RunResult
) -> bool | None:
    judged = [v for v in verdicts if v is not None]
    if passing is None or not judged:
        return None
    if passing.rule == "mean":
        return None if mean is None else passing.met(mean, like)
    return {"majority": 2 * sum(judged) > len(judged), "all": all(judged), "any": any(judged)}[passing.rule]

"""What many scores come to: a mean that always stands beside its counts."""

from __future__ import annotations

from array import array
from collections import Counter

from attrs import define, field

from ..contract.schema import RunResult
from ..judging.spent import Spent
from .statistics import Comparison, Interval, Moments, Rate, holds, one_more, quantile

ROUNDING = 1e-9  # of the scale: scores that near are one score, computed in two ways


@define
class Average:
    """The scores of one label: their mean over judged rows (scored and not vacuous), and the counts beside it.

    All numbers are over the same rows, the judged ones, and in the scorer's own units. 8 bytes a judged row are kept.

    Args:
        label: The scorer's label.
        higher_is: "better" or "worse".
        scale: The score of a fraction of 1.
        failed: Failed rows by kind.
        spent: What all rows took, scored or not.
    """

    label: str
    higher_is: str = "better"
    scale: float = 1.0
    vacuous: int = 0
    not_scorable: int = 0
    failed: Counter[str] = field(factory=Counter)
    spent: Spent = field(factory=Spent)
    _moments: Moments = field(factory=Moments, repr=False, init=False)
    _scores: array[float] = field(factory=lambda: array("d"), repr=False, init=False)

    @property
    def judged(self) -> int:
        """How many rows have a score that is not vacuous."""
        return self._moments.count

    @property
    def scorable(self) -> int:
        """How many rows there was something to score in: judged, vacuous and failed ones."""
        return self.judged + self.vacuous + self.failed.total()

    @property
    def coverage(self) -> float | None:
        """The share of the scorable rows that did not fail, in [0, 1]; None where no row was scorable."""
        return (self.judged + self.vacuous) / self.scorable if self.scorable else None

    @property
    def mean(self) -> float | None:
        """In [0, scale]; None where no row was judged."""
        return self._moments.mean if self.judged else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of a sample; None below two judged rows."""
        return self._moments.deviation

    @property
    def interval(self) -> Interval | None:
        """Student's 95 % interval of the mean, not cut off at 0 or scale; None below two judged rows."""
        return self._moments.interval

    def rate(self, comparison: Comparison, bound: float) -> Rate | None:
        """How many of the judged rows have a score that is so, with Wilson's 95 % interval; None where none was judged.

        Scores nearer to `bound` than a billionth of the scale are equal to it.
        """
        slack = ROUNDING * self.scale
        met = sum(holds(score, comparison, bound, rounding=slack) for score in self._scores)
        return Rate(met, self.judged) if self.judged else None

    def quantile(self, share: float) -> float | None:
        """The score below which that share (0 to 1) of the judged rows lies, exactly; None where none was judged."""
        return quantile(self._scores, share) if self.judged else None

    def add(self, result: RunResult) -> None:
        """Count `result` in."""
        self.spent.add(result)
        if result.error:
            self.failed[result.error.kind] += 1
        elif result.score is None:
            self.not_scorable += 1
        elif result.vacuous:
            self.vacuous += 1
        else:
            self._moments = one_more(self._moments, result.score)
            self._scores.append(result.score)

    def __str__(self) -> str:
        shown = "no score" if self.mean is None else f"{self.mean:.2f}"
        kinds = ", ".join(f"{kind} {n}" for kind, n in self.failed.most_common())
        counts = [(self.vacuous, "vacuous"), (self.not_scorable, "not scorable")]
        rest = [f"{n} {name}" for n, name in counts if n] + (
            [f"{self.failed.total()} failed ({kinds})"] if kinds else []
        )
        return " · ".join([f"{shown} over {self.judged} judged", *rest])

"""What many scores come to: a mean that always stands beside its counts."""

from __future__ import annotations

from collections import Counter
from functools import partial

from attrs import define, field

from ..contract.schema import RunResult
from ..judging.spent import Spent
from .grouped import Grouped
from .statistics import Comparison, Interval, Rate, holds

ROUNDING = 1e-9  # of the scale: scores that near are one score, computed in two ways


@define
class Average:
    """The scores of one label: their mean over judged rows (scored and not vacuous), and the counts beside it.

    All numbers are over the same rows, the judged ones, and in the scorer's own units. As text it is one line:
    `0.04 over 41 judged · 3 vacuous · 4 not scorable · 2 failed (timeout 2)`. 8 bytes a judged row are kept.

    Of a row that is scored several times each repeat is counted, but the row is one observation: mean, deviation and
    intervals are over rows, each with the mean of its judged repeats.

    Args:
        label: The scorer's label.
        higher_is: "better" or "worse".
        scale: The score of a fraction of 1.
        times: How often each row is scored.
        vacuous: Rows whose score is fixed as there was nothing to judge.
        not_scorable: Rows in which there was nothing to score.
        failed: Failed rows by kind.
        spent: What all rows took, scored or not.
    """

    label: str
    higher_is: str = "better"
    scale: float = 1.0
    times: int = field(default=1, kw_only=True)
    vacuous: int = 0
    not_scorable: int = 0
    failed: Counter[str] = field(factory=Counter)
    spent: Spent = field(factory=Spent)
    _scores: Grouped = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._scores = Grouped(self.times)

    @property
    def judged(self) -> int:
        """How many rows have a score that is not vacuous; each repeat of a row is one."""
        return self._scores.count

    @property
    def rows(self) -> int:
        """How many rows these are, with all their repeats."""
        return self._scores.moments.count

    @property
    def counted(self) -> str:
        """`41 judged`; of rows that are scored several times also in how many."""
        where = f" in {self.rows} row{'' if self.rows == 1 else 's'}" if self.times > 1 and self.judged else ""
        return f"{self.judged} judged{where}"

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
        """The mean score, in [0, scale]; None where no row was judged."""
        moments = self._scores.moments
        return moments.mean if moments.count else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of a sample; None below two judged rows."""
        return self._scores.moments.deviation

    @property
    def interval(self) -> Interval | None:
        """Student's 95 % interval of the mean, not cut off at 0 or scale; None below two judged rows."""
        return self._scores.moments.interval

    def rate(self, comparison: Comparison, bound: float) -> Rate | None:
        """How many of the judged rows have a score that is so, with Wilson's 95 % interval; None where none was judged.

        Scores nearer to `bound` than a billionth of the scale are equal to it.

        Args:
            comparison: ">=", "<=", ">" or "<".
            bound: In the scorer's units.

        Source: Wilson (1927), see `Rate.interval`.
        """
        slack = ROUNDING * self.scale
        so = partial(holds, comparison=comparison, bound=bound, rounding=slack)
        return self._scores.rate(so) if self.judged else None

    def quantile(self, share: float) -> float | None:
        """The score below which that share (0 to 1) of the judged rows lies, exactly; None where none was judged.

        Source: Hyndman and Fan (1996), type 7.
        """
        return self._scores.quantile(share) if self.judged else None

    def add(self, result: RunResult) -> None:
        """Count `result` in."""
        self.spent.add(result)
        if result.error:
            self.failed[result.error.kind] += 1
        elif result.score is None:
            self.not_scorable += 1
        elif result.vacuous:
            self.vacuous += 1
        self._scores.add((result.index, result.row_id), None if result.vacuous else result.score)

    def __str__(self) -> str:
        shown = "no score" if self.mean is None else f"{self.mean:.2f}"
        kinds = ", ".join(f"{kind} {n}" for kind, n in self.failed.most_common())
        counts = [(self.vacuous, "vacuous"), (self.not_scorable, "not scorable")]
        rest = [f"{n} {name}" for n, name in counts if n] + (
            [f"{self.failed.total()} failed ({kinds})"] if kinds else []
        )
        return " · ".join([f"{shown} over {self.counted}", *rest])

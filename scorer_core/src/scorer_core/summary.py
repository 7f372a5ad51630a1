"""What many scores come to: a mean that always stands beside its counts."""

from __future__ import annotations

from collections import Counter

from attrs import define, field

from .schema import RunResult


@define
class Average:
    """The scores of one label: their mean over judged rows (scored and not vacuous), and the counts beside it.

    Args:
        label: The scorer's label.
        higher_is: "better" or "worse".
        scale: The score of a fraction of 1.
        failed: Failed rows by kind.
    """

    label: str
    higher_is: str = "better"
    scale: float = 1.0
    judged: int = 0
    vacuous: int = 0
    not_scorable: int = 0
    failed: Counter[str] = field(factory=Counter)
    total: float = field(default=0.0, repr=False)

    @property
    def mean(self) -> float | None:
        """In [0, scale]; None where no row was judged."""
        return self.total / self.judged if self.judged else None

    def add(self, result: RunResult) -> None:
        """Count `result` in."""
        if result.error:
            self.failed[result.error.kind] += 1
        elif result.score is None:
            self.not_scorable += 1
        elif result.vacuous:
            self.vacuous += 1
        else:
            self.judged += 1
            self.total += result.score

    def __str__(self) -> str:
        shown = "no score" if self.mean is None else f"{self.mean:.2f}"
        kinds = ", ".join(f"{kind} {n}" for kind, n in self.failed.most_common())
        counts = [(self.vacuous, "vacuous"), (self.not_scorable, "not scorable")]
        rest = [f"{n} {name}" for n, name in counts if n] + (
            [f"{self.failed.total()} failed ({kinds})"] if kinds else []
        )
        return " · ".join([f"{shown} over {self.judged} judged", *rest])

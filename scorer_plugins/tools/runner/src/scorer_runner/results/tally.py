"""What the results of a run come to, counted as they come; of the rows themselves only a few are kept."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from attrs import define, field

from scorer_core import RunResult, Scorer
from scorer_core.evals import averages_of
from scorer_core.evaluating.repeats import Repeats
from scorer_core.evaluating.scoring import Item
from scorer_core.evaluating.slices import Slices
from scorer_core.evaluating.summary import Average
from scorer_core.judging.spent import Spent, together

from ..gates import Gate, Verdict

MOST_FAILED_TOLD, MOST_WORST_KEPT, ENOUGH = 5, 6, 3


@define
class Tally:
    """What the results of a run come to; of the rows themselves only a few are kept.

    Args:
        scorers: Those of the run.
        gates: What their scores must come to.
        slices: Means and counts by what the metadata says, for each way of slicing.
        repeats: What the repeats of the rows come to, by label, if there are any.
        averages: Those of all rows, by label.
        gated: Each gate with the average that it is about.
        times: How often each row is scored.
        worst: The results that are furthest from good, the worst first, by label.
        rows: How many are complete, `passed` those that were so before among them; each repeat of a row is one.
        results: How many are in the file, those of an earlier run that goes on among them.
        failed: The first results that failed; `n_failed` counts them all.
        took: How long the run lasted, in seconds.
        stopped: Why the run ended before its rows did, if it did.
        begun: How many calls a run began that stopped: also those for rows that were cut off.
        verdicts: What came of the gates, once the run is over.
    """

    scorers: Sequence[Scorer]
    gates: Sequence[Gate] = ()
    slices: Sequence[Slices] = ()
    repeats: Mapping[str, Repeats] = field(factory=dict)
    times: int = 1
    averages: dict[str, Average] = field(init=False)
    gated: Sequence[tuple[Gate, Average]] = field(init=False)
    worst: dict[str, list[RunResult]] = field(factory=dict)
    rows: int = 0
    passed: int = 0
    results: int = 0
    failed: list[RunResult] = field(factory=list)
    n_failed: int = 0
    took: float = 0.0
    stopped: str = ""
    begun: int = 0
    verdicts: Sequence[Verdict] = ()
    _ranks: dict[str, list[tuple[float, int, int]]] = field(init=False, repr=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        averages = partial(averages_of, self.scorers, self.times)
        self.averages = averages()
        self.gated = [(g, averages()[g.label] if g.slice else self.averages[g.label]) for g in self.gates]

    @property
    def spent(self) -> Spent:
        """What the calls of all scorers took."""
        return together(average.spent for average in self.averages.values())

    def over(self, item: Item) -> None:
        """Count in one row, whose results are counted."""
        whole = not (item.cut or item.stop)
        self.rows += whole
        self.passed += whole and not item.results
        if item.stop and not self.stopped:
            self.stopped = f"{item.stop.kind}: {item.stop.message}"

    def count(self, result: RunResult) -> None:
        """Count in one result, whether it was made now or by an earlier run."""
        label = result.scorer_label
        self.results += 1
        self.averages[label].add(result)
        if label in self.repeats:
            self.repeats[label].add(result)
        for slices in self.slices:
            slices.add(result)
        for gate, average in self.gated:
            if gate.slice and gate.label == label and gate.slice.holds(result.metadata):
                average.add(result)
        self._keep(label, result)

    def _keep(self, label: str, result: RunResult) -> None:
        if result.error:
            self.n_failed += 1
            self.failed += [result] if len(self.failed) < MOST_FAILED_TOLD else []
        elif result.score is not None and not result.vacuous and badness(result) > 0:
            kept, ranks = self.worst.setdefault(label, []), self._ranks.setdefault(label, [])
            if len(ranks) == MOST_WORST_KEPT and (-badness(result), -ENOUGH, result.index or 0) > ranks[-1]:
                return  # whatever there is to show
            at = bisect(ranks, rank := _rank(result))
            ranks.insert(at, rank)
            kept.insert(at, result)
            del ranks[MOST_WORST_KEPT:], kept[MOST_WORST_KEPT:]


def badness(result: RunResult) -> float:
    """How far a score is from good: 0 is as good as can be, 1 as bad."""
    fraction = (result.score or 0.0) / result.scale
    return fraction if result.higher_is == "worse" else 1 - fraction


def _rank(result: RunResult) -> tuple[float, int, int]:
    """The worst first; of those alike, the one with more to show."""
    return -badness(result), -min(_shown(result.analyze_step_result), ENOUGH), result.index or 0


def _shown(found: Any) -> int:
    """How many pieces `pieces_of` finds in what an analyze step gave; it is asked about each line of an earlier run."""
    return sum(len(v) for v in (found.values() if isinstance(found, Mapping) else [found]) if isinstance(v, list))

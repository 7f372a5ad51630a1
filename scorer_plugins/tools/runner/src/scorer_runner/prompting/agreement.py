"""How far scores agree with labels, and whether one set of them agrees better than another on the same rows."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Callable, Sequence

from attrs import frozen

from scorer_core.evaluating.statistics import Interval

RESAMPLES, SEED = 1000, 0
Row = tuple[float, float, float]  # label, and what A and B make of it
Metric = Callable[[Sequence[float], Sequence[float]], float | None]


@frozen
class Measure:
    """One measure of both sides: what it is for A and B, and the 95 % interval of the difference B - A, if any."""

    name: str
    a: float | None
    b: float | None
    interval: Interval | None

    @property
    def difference(self) -> float | None:
        """B - A."""
        return None if self.a is None or self.b is None else self.b - self.a

    @property
    def real(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


def measured(name: str, metric: Metric, rows: Sequence[Row]) -> Measure:
    """A measure of rows, with the percentile interval of its difference over resampled rows.

    Both sides see the same resampled rows, so what is hard about a row is taken out; the seed is fixed.

    Source: Efron and Tibshirani (1993), "An Introduction to the Bootstrap", chapter 13.
    """
    a, b = _both(metric, rows)
    chance, found = random.Random(SEED), list[float]()
    for _ in range(RESAMPLES if a is not None and b is not None else 0):
        again = _both(metric, chance.choices(rows, k=len(rows)))
        if again[0] is not None and again[1] is not None:
            found.append(again[1] - again[0])
    found.sort()
    enough = len(found) >= RESAMPLES / 2
    edge = round(0.025 * len(found))
    return Measure(name, a, b, Interval(found[edge], found[-1 - edge]) if enough else None)


def _both(metric: Metric, rows: Sequence[Row]) -> tuple[float | None, float | None]:
    labels, a, b = zip(*rows, strict=True) if rows else ((), (), ())
    return metric(labels, a), metric(labels, b)


def agreement(labels: Sequence[float], told: Sequence[float]) -> float | None:
    """The share of rows where both say the same."""
    return sum(map(float.__eq__, labels, told)) / len(labels) if labels else None


def kappa(labels: Sequence[float], told: Sequence[float]) -> float | None:
    """Agreement beyond what chance gives: 1 all, 0 no more than chance; None where both always say the same one thing.

    Source: Cohen (1960), "A coefficient of agreement for nominal scales".
    """
    if not labels:
        return None
    of_labels, of_told = Counter(labels), Counter(told)
    by_chance = sum(n * of_told[word] for word, n in of_labels.items()) / len(labels) ** 2
    seen = agreement(labels, told)
    return None if by_chance == 1 or seen is None else (seen - by_chance) / (1 - by_chance)


def pearson(labels: Sequence[float], told: Sequence[float]) -> float | None:
    """Pearson's correlation; None where one side is the same in all rows."""
    try:
        return statistics.correlation(labels, told)
    except statistics.StatisticsError:
        return None


def spearman(labels: Sequence[float], told: Sequence[float]) -> float | None:
    """Spearman's correlation: Pearson's of the ranks, those alike sharing theirs."""
    return pearson(_ranks(labels), _ranks(told))


def _ranks(numbers: Sequence[float]) -> list[float]:
    counts, ranks, before = Counter(numbers), dict[float, float](), 0
    for number in sorted(counts):
        ranks[number] = before + (counts[number] + 1) / 2
        before += counts[number]
    return [ranks[number] for number in numbers]

"""How much a number may be trusted: spread, 95 % intervals, shares and quantiles; nothing here knows of scores."""

from __future__ import annotations

import math
import random
from array import array
from typing import Literal

from attrs import frozen

Comparison = Literal[">=", "<=", ">", "<"]

Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution
_STUDENT = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157)


@frozen
class Interval:
    """Where, at 95 % confidence, the true value lies.

    Args:
        low: Its lower end, included.
        high: Its upper end, included.
    """

    low: float
    high: float


@frozen
class Moments:
    """What a stream of numbers comes to, so far: how many, their mean, the sum of squares of their distances to it."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @property
    def deviation(self) -> float | None:
        """The standard deviation of a sample (over count - 1); None below two numbers."""
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else None

    @property
    def interval(self) -> Interval | None:
        """Student's interval of the mean; None below two numbers. Its ends may lie where no number can."""
        if self.deviation is None:
            return None
        half = student(self.count - 1) * self.deviation / math.sqrt(self.count)
        return Interval(self.mean - half, self.mean + half)


def one_more(moments: Moments, number: float) -> Moments:
    """`moments` with `number` counted in.

    Source: Welford (1962), "Note on a method for calculating corrected sums of squares and products".
    """
    count, distance = moments.count + 1, number - moments.mean
    mean = moments.mean + distance / count
    return Moments(count, mean, moments.squares + distance * (number - mean))


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t for `freedom` (1 or more) degrees of freedom; off by less than 5e-6 of it.

    Source: a table up to 9; from there Abramowitz and Stegun (1964), 26.7.5.
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160,
    )
    return Z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


@frozen
class Rate:
    """How many of how many.

    Args:
        met: How many are so.
        of: How many there are, 1 or more.
        groups: The shares within groups, where numbers that are alike for a common reason come in such.
    """

    met: int
    of: int
    groups: Moments | None = None

    @property
    def share(self) -> float:
        """What share is so, in [0, 1]; of groups, the mean of theirs."""
        return self.met / self.of if self.groups is None else min(max(self.groups.mean, 0.0), 1.0)

    @property
    def interval(self) -> Interval:
        """Wilson's interval of the share, within [0, 1]; holds for few rows and for shares of 0 and 1 too.

        Source: Wilson (1927), "Probable inference, the law of succession, and statistical inference".
        """
        p, of = self.share, self._independent
        more = Z * Z / of
        middle = (p + more / 2) / (1 + more)
        half = Z * math.sqrt((p * (1 - p) + more / 4) / of) / (1 + more)
        return Interval(max(0.0, min(middle - half, p)), min(1.0, max(middle + half, p)))

    @property
    def _independent(self) -> float:
        """How many independent numbers say as much: all of them, or less the more groups differ; never less than those.

        Source: Korn and Graubard (1998), "Confidence intervals for proportions with small expected number of positive
        counts estimated from survey data".
        """
        if self.groups is None:
            return self.of
        spread, alone, p = self.groups.deviation, self.groups.count, self.share
        if spread is None or p in (0.0, 1.0):
            return alone  # nothing to tell by
        unlike = alone * p * (1 - p) / spread**2 if spread else math.inf
        fewer = (student(self.of - 1) / student(alone - 1)) ** 2
        return min(max(unlike * fewer, alone), self.of)


def holds(number: float, comparison: Comparison, bound: float, *, rounding: float = 0.0) -> bool:
    """Whether `number` is so; numbers no further apart than `rounding` are equal: the mean of 0.7, 0.8, 0.9 is 0.8."""
    if abs(number - bound) <= rounding:
        return comparison in (">=", "<=")
    return number > bound if comparison in (">=", ">") else number < bound


def quantile(numbers: array[float], share: float) -> float:
    """The number below which a `share` (0 to 1) of `numbers` (1 or more) lies, between two neighbours in proportion.

    Source: Hyndman and Fan (1996), type 7.
    """
    place = share * (len(numbers) - 1)
    low = _nth_smallest(numbers, math.floor(place))
    if place == math.floor(place):
        return low
    return low + (place - math.floor(place)) * (_nth_smallest(numbers, math.ceil(place)) - low)


def _nth_smallest(numbers: array[float], n: int) -> float:
    """The number that sorting would put at `n`, counted from 0; a sorted list would take four times the memory.

    Source: Hoare (1961), "Algorithm 65: find".
    """
    choose = random.Random(0).choice
    while True:
        pivot = choose(numbers)
        below = array("d", (x for x in numbers if x < pivot))
        if n < len(below):
            numbers = below
        elif (n := n - len(below)) < (equal := numbers.count(pivot)):
            return pivot
        else:
            n, numbers = n - equal, array("d", (x for x in numbers if x > pivot))

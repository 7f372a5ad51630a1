"""Numbers that come in groups: what is alike within a group says no more of the rest than one number of it would."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from statistics import fmean

from attrs import define, field

from .statistics import Moments, Rate, one_more, quantile


@define
class Grouped:
    """A stream of numbers in groups, as the scores of a row that is done several times: a group is one observation.

    8 bytes a number are kept, and 4 a group where groups have several.

    Args:
        times: How many come to a group, those that are None among them; a group is complete then.
    """

    times: int = 1
    _moments: Moments = field(factory=Moments, init=False)
    _numbers: array[float] = field(factory=lambda: array("d"), init=False)  # those of a group side by side
    _sizes: array[int] = field(factory=lambda: array("I"), init=False)  # of the groups that have any
    _open: dict[Hashable, list[float | None]] = field(factory=dict, init=False)

    def add(self, group: Hashable, number: float | None) -> None:
        """Count in what came to a group."""
        if self.times == 1:
            self._close([number])
            return
        come = self._open.setdefault(group, [])
        come.append(number)
        if len(come) == self.times:
            self._close(self._open.pop(group))

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return len(self._numbers) + sum(len(_numbers_in(come)) for come in self._open.values())

    @property
    def moments(self) -> Moments:
        """What the means of the groups come to, each over the numbers that are there."""
        moments = self._moments
        for come in self._open.values():
            moments = _with_mean(moments, _numbers_in(come))
        return moments

    def quantile(self, share: float) -> float:
        """See `quantile`: of all numbers, of whatever group."""
        numbers = self._numbers
        if self._open:
            numbers = array("d", (number for group in self._groups() for number in group))
        return quantile(numbers, share)

    def rate(self, so: Callable[[float], bool]) -> Rate:
        """How many of the numbers (1 or more) are `so`."""
        if self.times == 1:
            return Rate(sum(map(so, self._numbers)), self.count)
        shares, met = Moments(), 0
        for group in self._groups():
            here = sum(map(so, group))
            shares, met = one_more(shares, here / len(group)), met + here
        return Rate(met, self.count, shares)

    def _groups(self) -> Iterator[Sequence[float]]:
        """The numbers of each group that has any."""
        at = 0
        for size in self._sizes:
            yield self._numbers[at : at + size]
            at += size
        yield from filter(None, map(_numbers_in, self._open.values()))

    def _close(self, come: Sequence[float | None]) -> None:
        numbers = _numbers_in(come)
        self._moments = _with_mean(self._moments, numbers)
        self._numbers.extend(numbers)
        if self.times > 1 and numbers:
            self._sizes.append(len(numbers))


def _numbers_in(come: Sequence[float | None]) -> list[float]:
    return [number for number in come if number is not None]


def _with_mean(moments: Moments, numbers: Sequence[float]) -> Moments:
    return one_more(moments, fmean(numbers)) if numbers else moments

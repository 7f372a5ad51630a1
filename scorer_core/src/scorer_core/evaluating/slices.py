"""Slices: the rows of a run by what their metadata says, each with averages of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field, frozen

from ..contract.errors import UsageError
from ..contract.schema import RunResult
from ..runs.metadata import told
from .summary import Average

MOST = 200  # slices of one kind; what comes after them is in one slice, so that memory stays flat
SMALL = 30  # rows, judged, below which a mean says little of the rows to come
OTHERS = "(others)"


@frozen
class Slice:
    """The rows with these values of these columns; as text `lang=ja, topic=law`.

    Args:
        values: Pairs of column and value; texts as they are, all else as JSON, "(none)" for what a row lacks.
    """

    values: tuple[tuple[str, str], ...]

    def holds(self, metadata: Any) -> bool:
        """Whether a row with this metadata is one of them."""
        return all(told(metadata, column) == value for column, value in self.values)

    def __str__(self) -> str:
        return ", ".join(f"{column}={value}" for column, value in self.values)


def columns_of(by: Any) -> tuple[str, ...]:
    """The columns that rows are told apart by: one, or those of a list.

    Raises:
        UsageError: one is no name.
    """
    columns = tuple(by) if isinstance(by, (list, tuple)) else (by,)
    if not all(isinstance(column, str) and column.strip() for column in columns):
        raise UsageError(f"by: expected the name of a column of the metadata, or a list of such, got {by!r}")
    return columns


@define
class Slices:
    """Averages by label, for the rows of each combination of values that some columns of the metadata have.

    Args:
        by: The columns; a dotted name is looked for as it is, then inside mappings.
        times: How often each row is scored.
        averages: By slice, in the order they came, then by label.
    """

    by: Sequence[str]
    times: int = field(default=1, kw_only=True)
    averages: dict[Slice, dict[str, Average]] = field(factory=dict)

    def add(self, result: RunResult) -> None:
        """Count `result` in its slice."""
        of = Slice(tuple((column, told(result.metadata, column)) for column in self.by))
        if of not in self.averages and len(self.averages) >= MOST:
            of = Slice(tuple((column, OTHERS) for column in self.by))
        averages = self.averages.setdefault(of, {})
        if result.scorer_label not in averages:
            like = result.scorer_label, result.higher_is, result.scale
            averages[result.scorer_label] = Average(*like, times=self.times)
        averages[result.scorer_label].add(result)

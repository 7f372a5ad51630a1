"""A run that can begin, and what can score its rows."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from attrs import field, frozen

from scorer_core import Scorer
from scorer_core.evaluating.repeats import Passing
from scorer_core.evaluating.scoring import Item, Needed
from scorer_core.evaluating.turns import Answer
from scorer_core.judging.budget import Budget
from scorer_core.judging.flight import Flight

from ..cache import SqliteCache
from ..gates import Gate
from ..ordering.order import Order
from ..reading.looking import Looked
from ..results.kept import Earlier
from ..results.parts import Form, is_folder


class Engine(Protocol):
    """What scores the rows of a run."""

    def check(self, order: Order) -> None:
        """See that it can do what is asked for.

        Raises:
            UsageError: it can't do some of it; the message tells why.
        """

    def items(self, plan: Plan, flight: Flight, needed: Needed | None, answer: Answer | None) -> AsyncGenerator[Item]:
        """What came of each row of `plan`, as rows complete; `flight`, `needed`, `answer` as for `score_rows`."""


@frozen
class Plan:
    """A run that can begin.

    Args:
        order: What was asked for.
        scorers: All with the one judge, and labels that differ.
        data: The rows, as they were looked at.
        out: The file for the results; None is standard output.
        model: The judge's name, as asked for; None where no scorer asks a judge.
        description: What is written beside the results.
        engine: What scores the rows.
        cache: Where the judge's replies are kept, if they are.
        priced: Whether there is a table to tell the cost by.
        gates: What the scores must come to.
        by: The columns of the metadata that rows are told apart by, for each way of slicing.
        earlier: The run that goes on, if it had begun.
        answer: Asks the target, if there is one.
        passing: When a result passes, by label.
        budget: What the run may take.
    """

    order: Order
    scorers: Sequence[Scorer]
    data: Looked = field(repr=False)
    out: Path | None
    model: str | None
    description: Mapping[str, Any] = field(repr=False)
    engine: Engine
    cache: SqliteCache | None = None
    priced: bool = False
    gates: Sequence[Gate] = ()
    by: Sequence[Sequence[str]] = ()
    earlier: Earlier | None = None
    answer: Answer | None = None
    passing: Mapping[str, Passing] = field(factory=dict)
    budget: Budget = field(factory=Budget)

    @property
    def rows(self) -> Iterator[Any]:
        """The rows, read as they are asked for."""
        return self.data.rows

    @property
    def parts(self) -> Form | None:
        """The form of the parts, where results go to a folder."""
        if not is_folder(self.order.out):
            return None
        return "parquet" if self.order.format == "parquet" else "jsonl"

    @property
    def shown(self) -> str:
        """The form of what standard output shows in the end: a summary also where --format tells that of parts."""
        return "table" if self.parts == "parquet" else self.order.format

    @property
    def total(self) -> int | None:
        """How many rows there are; None where that is not known yet."""
        return self.data.total

"""What a run would take, told without a call: every row walks, with a stand-in for the judge."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from attrs import define, evolve, field, frozen

from scorer_core import Scorer
from scorer_core.contract.errors import Failed
from scorer_core.judging.judge import Judge, retries_itself
from scorer_core.judging.prices import cost
from scorer_core.runs.messages import said
from scorer_core.runs.rows import run_of
from scorer_core.walking.walk import walk

from ..gates import against_direction
from ..planning.plan import Plan
from ..reading.looking import LOOKED_AT
from ..reading.rows import own_fields
from .standin import Row, stand_in

ASSUMED = (
    "later steps ask nothing, where a reply leaves nothing to ask about, up to one item for each sentence of an answer",
    "what comes again word for word is asked once at the least, each time at the most",
    "no reply is asked for again, and no call is repeated",
    "tokens are a quarter of the ASCII characters and one for each other character, of replies that are made up, too",
)


@frozen
class Amount:
    """Calls, and the tokens that go to and fro in them."""

    calls: int = 0
    sent: int = 0
    replied: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.calls + other.calls, self.sent + other.sent, self.replied + other.replied)


@frozen
class Between:
    """The least and the most of what may be asked."""

    least: Amount = Amount()
    most: Amount = Amount()

    def __add__(self, other: Between) -> Between:
        return Between(self.least + other.least, self.most + other.most)


@define
class Forecast:
    """What a run would take.

    Args:
        judge: Who would be asked, and at which prices; None where nobody would be.
        rows: How many rows were looked at, each as often as it is repeated.
        whole: Whether these are all.
        steps: What each step of each scorer asks, by label and step.
        ends: What rows come to without a call, counted by label: "scored", "not scorable", or the kind of an error.
        cached: How many calls are in the cache.
    """

    judge: Judge | None
    whole: bool
    rows: int = 0
    steps: dict[tuple[str, str], Between] = field(factory=dict)
    ends: dict[str, Counter[str]] = field(factory=dict)
    cached: int = 0

    @property
    def total(self) -> Between:
        """All of it."""
        return sum(self.steps.values(), Between())

    def cost(self, amount: Amount) -> float | None:
        """What that would cost; None where no price is known."""
        usage = {"input_tokens": amount.sent, "output_tokens": amount.replied}
        return cost(self.judge.prices, (self.judge.name,), usage) if self.judge else None

    def add(self, label: str, row: Row, end: str) -> None:
        """Count in what one scorer would ask about a row, and what the row comes to where that is nothing."""
        for call in row.calls:
            amount = Amount(1, call.sent, call.replied)
            known = self.steps.get((label, call.step), Between())
            self.steps[label, call.step] = known + Between(amount if call.sure else Amount(), amount)
        if not row.asked:
            self.ends.setdefault(label, Counter())[end] += 1
        self.cached += row.cached


def forecast(plan: Plan) -> Forecast:
    """What the run would take; of a stream, what its first rows would."""
    judge, row = next((scorer.judge for scorer in plan.scorers if scorer.judge), None), Row()
    told = Forecast(judge, plan.total is not None)
    asking = [[_with_stand_in(s, row, n) for s in plan.scorers] for n in range(plan.order.repeats)]
    asyncio.run(_walked(plan.rows if told.whole else islice(plan.rows, LOOKED_AT), asking, row, told))
    return told


def _with_stand_in(scorer: Scorer, row: Row, repeat: int) -> Scorer:
    return evolve(scorer, judge=stand_in(scorer.judge, row, repeat)) if scorer.judge else scorer


async def _walked(rows: Iterator[Any], asking: Sequence[Sequence[Scorer]], row: Row, told: Forecast) -> None:
    for given in rows:
        for row.repeat, scorers in enumerate(asking):
            told.rows += 1
            await _row(given, scorers, row, told)


async def _row(given: Any, scorers: Sequence[Scorer], row: Row, told: Forecast) -> None:
    row.seen.clear()
    for scorer in scorers:
        row.begin()
        try:
            run = evolve(run_of(given)[0], **own_fields(scorer.label, given))
            row.answer = said(run).answer
            end = await walk(scorer, run)
            came_to = end.error.kind if end.error else end.status.replace("_", " ")
        except Failed as e:
            came_to = e.kind
        told.add(scorer.label, row, came_to)


def warnings(plan: Plan, told: Forecast) -> Iterator[str]:
    """What a user may want to know before the run."""
    model: Any = told.judge and told.judge.model
    if hasattr(model, "temperature") and model.temperature is None:
        yield "no temperature is set, so that scores may differ from run to run; try: --model-arg temperature=0"
    if told.judge and retries_itself(model):
        yield f"{type(model).__name__} has retries of its own, which multiply with ours: make it with max_retries=0"
    if plan.answer:
        yield "the target is not asked: told is what scores of the outputs in the data take"
    if plan.earlier:
        yield f"{plan.earlier.path} is there: the run goes on with it, so that less is asked than is told here"
    if told.judge and plan.priced and told.cost(Amount()) is None:
        yield f"no price for {told.judge.name}"
    yield from against_direction(plan.gates, plan.scorers)


def as_json(plan: Plan, told: Forecast) -> Mapping[str, Any]:
    """All of it, in JSON's types; a range is [least, most]."""
    steps = [{"scorer": label, "step": step, **_range(told, both)} for (label, step), both in told.steps.items()]
    return {
        "rows": told.rows,
        "whole": told.whole,
        "model": plan.model,
        "steps": steps,
        "total": _range(told, told.total),
        "cached": told.cached,
        "without_a_call": {label: dict(ends) for label, ends in told.ends.items()},
        "assumed": list(ASSUMED),
        "warnings": list(warnings(plan, told)),
    }


def _range(told: Forecast, both: Between) -> Mapping[str, Any]:
    ends = (both.least, both.most)
    costs = [told.cost(amount) for amount in ends]
    return {
        "calls": [a.calls for a in ends],
        "input_tokens": [a.sent for a in ends],
        "output_tokens": [a.replied for a in ends],
        "cost": None if None in costs else costs,
    }

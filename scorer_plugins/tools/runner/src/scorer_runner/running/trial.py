"""Two packs tried on the same rows in one run: what both ask alike is asked once."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from scorer_core import Prompts, Scorer, UsageError
from scorer_core.evaluating.labels import labelled

from ..ordering.order import Order
from ..planning.description import description
from ..planning.making import made
from ..planning.plan import Plan

OWN = "own"  # the name that stands for no pack: the scorer's own templates


def trial(order: Order, packs: Sequence[str]) -> Plan:
    """The run of an order with every scorer once a pack, labelled `scorer@pack`.

    Raises:
        UsageError: what is asked for is wrong, as for any run, or a pack is named twice.
    """
    if len({*packs}) < len(packs):
        raise UsageError(f"{packs[0]!r} is compared with itself; name two packs, or {OWN!r} for the scorer's own words")
    plan = made(order)
    scorers = [_with(scorer, pack) for scorer in plan.scorers for pack in packs]
    return evolve(plan, scorers=labelled(scorers), description=description(order, plan.model, scorers, plan.data))


def _with(scorer: Scorer, pack: str) -> Scorer:
    prompts = Prompts() if pack == OWN else Prompts(pack)
    return evolve(scorer, prompts=prompts, label=label(scorer.label, pack))


def label(of: str, pack: str) -> str:
    """What a scorer is called with a pack."""
    return f"{of}@{pack}"

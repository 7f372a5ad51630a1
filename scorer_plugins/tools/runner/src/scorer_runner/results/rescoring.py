"""Scoring anew what a file of results holds: what its judges found is taken, where that still holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import attrs
from attrs import evolve

from scorer_core import Ask, ScorerSpec, Trail, UsageError
from scorer_core.answering.exact import strict
from scorer_core.contract.joining import item_texts
from scorer_core.contract.plain import plain
from scorer_core.contract.trail import Step
from scorer_core.walking.start import ground_truths

from ..ordering.order import Order
from ..ordering.trying import Trier

AnySpec = ScorerSpec[Any, Any]
Begins = Literal["preprocess", "analyze", "generate_score"]
STEPS_STORED: tuple[Step, ...] = ("preprocess", "analyze")


def not_again(order: Order, step: Begins) -> Iterator[str]:
    """What can't be asked for of results that are scored anew from `step` on."""
    if order.target is not None:
        yield "--target: results hold their outputs; score new ones with scorer run"
    if step != "preprocess" and order.redact:
        yield f"--from-step {step}: what was stored may hold what --redact hides; leave one of them out"
    if step != "preprocess" and order.mode == "single":
        yield f"--from-step {step}: --mode single asks for all at once; leave one of them out"


def repeats_again(order: Order, there: int, tried: Trier) -> int:
    """How often rows are done whose results tell of so many repeats: as often."""
    if order.repeats not in (1, there):
        tried.problems.append(f"--repeats {order.repeats}: the results are of {there} repeats, and each is scored anew")
    return there


def begun_at(spec: AnySpec, step: Begins, label: str | None = None) -> AnySpec:
    """`spec` with the steps before `step` taken from the earlier run of each row, asked anew where they are not there.

    Args:
        spec: A scorer.
        step: The first one that is taken anew.
        label: The name that its scores are given, if they are.

    Raises:
        UsageError: there is nothing that this scorer would be spared.
    """
    if step == "preprocess":
        return spec
    spared = [before for before in STEPS_STORED[: 1 if step == "analyze" else 2] if before in spec.asks]
    if not spared:
        raise UsageError(f"--from-step {step}: {spec.id} asks its judge nothing before that; leave it out")
    changed: dict[str, Any] = {before: _remembered(spec, before, label) for before in spared}
    return evolve(spec, **changed)


def _remembered(spec: AnySpec, step: Step, label: str | None) -> Ask[Any]:
    ask = spec.asks[step]

    def unless(trail: Trail[Any, Any]) -> Any:
        ready = ask.unless(trail) if ask.unless else None
        if ready is not None:
            return ready
        value = _stored(spec, step, label, trail)
        trail.note(f"{step}: {'nothing that fits was stored; asked anew' if value is None else 'as stored'}")
        return ask.then(trail, value) if value is not None and ask.then else value

    return evolve(ask, unless=unless)


def _earlier(trail: Trail[Any, Any], id: str, label: str | None) -> Mapping[str, Any]:
    """The earlier result of this scorer; of several of its id the one with its label, or else with its options."""
    results = [r for r in getattr(trail.run.metadata, "results", ()) if r["scorer_id"] == id]
    options = plain(trail.options)
    alike = [r for r in results if label is not None and r["scorer_label"] == label] or [
        r for r in results if r["options"] == options
    ]
    return next(iter(alike or (results if len(results) == 1 else [])), {})


def _stored(spec: AnySpec, step: Step, label: str | None, trail: Trail[Any, Any]) -> Any:
    """What the step came to, if it is known, and is about the items that there are now."""
    if len(ground_truths(trail.run.ground_truth)) > 1:
        return None  # that of the best one alone was stored
    ask, found = spec.asks[step], _earlier(trail, spec.id, label)
    value = read_stored(ask, found.get(f"{step}_step_result"))
    if value is not None and ask.each and item_texts(value) != ask.items(trail):
        return None
    return value


def read_stored(ask: Ask[Any], stored: Any) -> Any:
    """The reply that `stored`, a step's result as shown, was made from; None where it does not fit."""
    names = [a.name for a in attrs.fields(ask.reply)] if attrs.has(ask.reply) else []
    shown = ask.shows or (names[0] if len(names) == 1 and isinstance(stored, list) else None)
    try:
        return strict.structure({shown: stored} if shown else stored, ask.reply)
    except Exception:
        return None

"""The walk of one run through the four steps of a scorer, up to what came of it.

Every asked step passes the same three doors in the same order: templates make the prompt, the judge answers it, and the
answer joins the trail.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from ..contract.ask import Ask
from ..contract.errors import Failed, NotScorable, Settled
from ..contract.joining import item_texts
from ..contract.plain import plain
from ..contract.schema import ErrorInfo, Run, Status
from ..contract.spec import Score
from ..contract.trail import STEPS, Step, Trail
from ..support.background import all_of, contained
from ..support.raised import error_text
from ..support.scrub import scrubbed
from .asking import Asking, nothing
from .bound import Bound
from .gathered import Findings
from .start import AnyTrail, look_at_needs, set_out


@frozen
class End:
    """Where a walk ended: the fields of the result that say what came of it.

    Args:
        fraction: The score before scaling, in [0, 1]; there exactly when `status` is "scored".
        trail: The trail to explain the score by; None where `reason` says all there is to say.
    """

    status: Status
    found: Findings
    fraction: float | None = None
    vacuous: bool = False
    reason: str | None = None
    error: ErrorInfo | None = None
    trail: AnyTrail | None = None


async def walk(bound: Bound, run: Run) -> End:
    """Where `run` ends: the score of its best ground truth, explained; never raises for what a run can hold."""
    try:
        start = await set_out(bound, run)
    except Exception as e:
        return ended(e, None, Findings())
    walks = [_to_score(bound, trail, Findings(start.context, trail.notes)) for trail in start.trails]
    return await _explained(bound, _best(bound, await all_of(walks)))


async def _to_score(bound: Bound, trail: AnyTrail, found: Findings) -> End:
    """The walk up to the score."""
    step: Step | None = None
    try:
        look_at_needs(bound, trail)
        if bound.mode == "single":
            step = "analyze"
            trail = await _at_once(bound, trail, found)
        for step in STEPS[:2] if bound.mode == "steps" else ():
            trail = _further(trail, **{step: await _take(bound, step, trail, found)})
        step = "generate_score"
        fraction = _checked(await _take(bound, step, trail, found))
        return End("scored", found, fraction, trail=_further(trail, score=fraction * bound.options.scale))
    except Exception as e:
        return ended(e, step, found)


def _further(trail: AnyTrail, **known: Any) -> AnyTrail:
    """The trail with more that is known: what `evolve` gives, at a fraction of its cost, as a row has many."""
    further = object.__new__(Trail)
    vars(further).update(vars(trail), **known)
    return further


def ended(error: Exception, step: Step | None, found: Findings) -> End:
    """The end that an exception makes."""
    if isinstance(error, NotScorable):
        return End("not_scorable", found, reason=str(error))
    if isinstance(error, Settled) and is_fraction(error.score):
        found.notes += [error.note] if error.note else []
        return End("scored", found, float(error.score), error.vacuous, reason=error.why)
    failed = error if isinstance(error, Failed) else Failed("scorer_error", error_text(error))
    return End("failed", found, error=ErrorInfo(kind=failed.kind, step=step, message=failed.message))


def _best(bound: Bound, ends: Sequence[End]) -> End:
    """The end of the ground truth that counts, with the calls of all of them."""
    if len(ends) == 1:
        return ends[0]
    better = bound.spec.higher_is == "better"
    scored = sorted((e for e in ends if e.fraction is not None), key=lambda e: e.fraction or 0.0, reverse=better)
    failed = sorted((e for e in ends if e.status == "failed"), key=lambda e: not _cut_off(e))
    perfect = bool(scored) and scored[0].fraction == (1.0 if better else 0.0)
    best = scored[0] if perfect or (scored and not failed) else (failed or ends)[0]
    for step in {s for e in ends for s in e.found.executions}:
        best.found.executions[step] = tuple(x for e in ends for x in e.found.executions.get(step, ()))
    return best


def _cut_off(end: End) -> bool:
    return end.error is not None and end.error.kind == "budget"


async def _explained(bound: Bound, end: End) -> End:
    """The end with its reason; a score stands without one, but not where the run was stopped: then it is not done."""
    if bound.reasons == "none" or end.trail is None:
        return end
    try:
        told = _summarised(bound, end) if bound.summarises else _take(bound, "generate_reason", end.trail, end.found)
        return End(end.status, end.found, end.fraction, reason=await told)
    except Exception as e:
        if isinstance(e, Failed) and e.kind == "budget":
            return ended(e, "generate_reason", end.found)
        kind, text = (e.kind, str(e)) if isinstance(e, Failed) else ("scorer_error", error_text(e))
        end.found.notes.append(scrubbed(f"generate_reason failed ({kind}): {text}"))
        return end


async def _summarised(bound: Bound, end: End) -> str:
    reason, end.found.templates["generate_reason"] = bound.prompts.summary(bound.spec, vars(end.trail))
    return reason


async def _at_once(bound: Bound, trail: AnyTrail, found: Findings) -> AnyTrail:
    """The trail after preprocess and analyze, had in one call."""
    first, second, how = bound.spec.preprocess, bound.spec.analyze, bound.spec.at_once
    assert isinstance(first, Ask)
    assert isinstance(second, Ask)
    assert how is not None
    said = await _ask(bound, "analyze", how, trail, found)
    items = first.reply(**{str(second.each): item_texts(said)})
    trail = _further(trail, preprocess=items, analyze=said)
    found.notes.append("claims and verdicts were asked for in a single call")
    _show(found, "preprocess", first, items)
    if second.unless:
        second.unless(trail)
    _show(found, "analyze", second, said)
    return trail


def _show(found: Findings, step: Step, how: Any, value: Any) -> None:
    shows = how.shows if isinstance(how, Ask) else None
    found.shown[step] = plain(getattr(value, shows) if shows else value)


async def _take(bound: Bound, step: Step, trail: AnyTrail, found: Findings) -> Any:
    """The value of one step: of a function, or of the judge."""
    how = getattr(bound.spec, step)
    if how is None:
        return None
    value = await _ask(bound, step, how, trail, found) if isinstance(how, Ask) else await contained(_called(how, trail))
    if step in ("preprocess", "analyze"):
        _show(found, step, how, value)
    return value


async def _called(function: Any, trail: AnyTrail) -> Any:
    value = function(trail)
    return await value if inspect.isawaitable(value) else value


async def _ask(bound: Bound, step: Step, how: Ask[Any], trail: AnyTrail, found: Findings) -> Any:
    if how.unless and (ready := how.unless(trail)) is not None:
        return ready
    items = how.items(trail)
    if how.each and not items and not how.always:
        return nothing(how.reply)
    value = await Asking(bound, step, how).ask(trail, items, found)
    return how.then(trail, value) if how.then else value


def _checked(value: Any) -> float:
    """A fraction, as the contract asks."""
    fraction = value.score if isinstance(value, Score) else value
    if not is_fraction(fraction):
        raise Failed("scorer_error", f"generate_score: expected a fraction in [0, 1], got {value!r}")
    return float(fraction)


def is_fraction(value: Any) -> bool:
    """Whether `value` is a finite number in [0, 1]."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and math.isfinite(value) and 0 <= value <= 1

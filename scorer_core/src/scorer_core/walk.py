"""The walk of one run through the four steps of a scorer, up to what came of it.

Every asked step passes the same three doors in the same order: templates make the prompt, the judge answers it, and the
answer joins the trail.
"""

from __future__ import annotations

import asyncio
import inspect
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
from attrs import define, evolve, field, frozen

from .answers import Question
from .context import Context, find_context
from .errors import Failed, NotScorable, Settled
from .log import warn_once
from .marks import clean
from .messages import Said, as_text, said
from .schema import JSON, ErrorInfo, JudgeExecution, Run, Status, TemplateFile, plain
from .shapes import answer_shape
from .spec import STEPS, Ask, Score, Step, Trail

if TYPE_CHECKING:
    from .scorer import Scorer

AnyTrail: TypeAlias = Trail[Any, Any]
_TEXTS = ("question", "answer", "ground_truth", "context")


@define
class Findings:
    """What a walk gathers on its way, for the result."""

    context: Context = field(factory=Context)
    notes: list[str] = field(factory=list)
    prompts: dict[str, str] = field(factory=dict)
    templates: dict[str, tuple[TemplateFile, ...]] = field(factory=dict)
    shown: dict[str, JSON] = field(factory=dict)
    executions: dict[str, tuple[JudgeExecution, ...]] = field(factory=dict)


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


async def walk(scorer: Scorer, run: Run) -> End:
    """Where `run` ends: the score of its best ground truth, explained; never raises for what a run can hold."""
    found = Findings()
    try:
        trails = await _trails(scorer, run, found)
    except Exception as e:
        return _ended(e, None, found)
    ends = await asyncio.gather(*(_to_score(scorer, t, Findings(found.context, list(found.notes))) for t in trails))
    end = _best(scorer, ends)
    return await _explained(scorer, end) if end.trail else end


async def _trails(scorer: Scorer, run: Run, found: Findings) -> list[AnyTrail]:
    """The trail of `run` for each of its ground truths, with the texts as they are sent."""
    spoken = said(run)
    found.notes += spoken.notes
    found.context = await find_context(run, scorer.context, scorer.get_context, spoken.tool_results)
    if scorer.context is not None and found.context.source == "row":
        warn_once(f"{scorer.label}: rows bring a context of their own, which goes before the static one")
    needs_truth = "ground_truth" in scorer.spec.needs
    truths = ground_truths(run.ground_truth) if needs_truth else [as_text(run.ground_truth) or None]
    trails = [_trail(scorer, run, spoken, found, truth) for truth in truths or [None]]
    if len(trails) > 1:
        trails = [evolve(t, notes=[*t.notes, f"ground_truth {n} of {len(trails)}"]) for n, t in enumerate(trails, 1)]
    return trails


def _trail(scorer: Scorer, run: Run, spoken: Said, found: Findings, truth: str | None) -> AnyTrail:
    given = {
        "question": spoken.question,
        "answer": spoken.answer,
        "ground_truth": truth,
        "context": found.context.chunks,
    }
    sent = {name: _clean(value) for name, value in given.items()}
    notes = [f"characters that can't be sent were replaced in: {n}" for n in _TEXTS if sent[n] != given[n]]
    return Trail(
        **sent, context_source=found.context.source, preprocess=None, analyze=None, scale=scorer.options.scale,
        options=scorer.options, language=scorer.language, run=run, notes=notes,
    )  # fmt: skip


def _clean(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(c if (text := clean(c)) == c else type(c)(text, c.metadata) for c in value)
    return value if value is None else clean(value)


def ground_truths(value: Any) -> list[str]:
    """The right answers that `value` gives, as texts; none for what is missing: None, NaN, blank text."""
    if isinstance(value, (list, tuple)):
        return [text for v in value for text in ground_truths(v)]
    missing = value is None or value != value or (isinstance(value, str) and not value.strip())
    return [] if missing else [as_text(value)]


async def _to_score(scorer: Scorer, trail: AnyTrail, found: Findings) -> End:
    """The walk up to the score."""
    step: Step | None = None
    try:
        _look_at_needs(scorer, trail)
        for step in STEPS[:2]:
            trail = evolve(trail, **{step: await _take(scorer, step, trail, found)})
        step = "generate_score"
        fraction = _checked(await _take(scorer, step, trail, found))
        return End("scored", found, fraction, trail=evolve(trail, score=fraction * scorer.options.scale))
    except Exception as e:
        return _ended(e, step, found)
    finally:
        found.notes += trail.notes


def _look_at_needs(scorer: Scorer, trail: AnyTrail) -> None:
    """Ends the walk of a run that lacks what the scorer needs: ground truth first, then answer, then context."""
    for need in sorted(
        scorer.spec.needs, key=("ground_truth", "question", "answer", "context_source", "context").index
    ):
        value = getattr(trail, need)
        if value and (not isinstance(value, str) or value.strip()):
            continue
        if need == "ground_truth" and getattr(scorer.options, "require_ground_truth", True):
            raise Failed("missing_ground_truth", f"{scorer.spec.id} needs a ground truth, and this run has none")
        if settled := scorer.spec.without.get(need):
            raise evolve(settled)
        raise NotScorable(_lack(need, trail))


def _lack(need: str, trail: AnyTrail) -> str:
    if need == "answer":
        return "the output is empty"
    if need == "context" and trail.context_source:
        return f"the context (from {trail.context_source}) is empty"
    return f"this run has no {'context' if need == 'context_source' else need.replace('_', ' ')}"


def _ended(error: Exception, step: Step | None, found: Findings) -> End:
    """The end that an exception makes."""
    if isinstance(error, NotScorable):
        return End("not_scorable", found, reason=str(error))
    if isinstance(error, Settled):
        found.notes += [error.note] if error.note else []
        return End("scored", found, error.score, error.vacuous, reason=error.why)
    if isinstance(error, Failed):
        return End("failed", found, error=ErrorInfo(kind=error.kind, step=step, message=error.message))
    told = f"{type(error).__name__}: {error}"
    return End("failed", found, error=ErrorInfo(kind="scorer_error", step=step, message=told))


def _best(scorer: Scorer, ends: Iterable[End]) -> End:
    """The end of the ground truth that counts, with the calls of all of them."""
    ends = list(ends)
    better = scorer.spec.higher_is == "better"
    scored = sorted((e for e in ends if e.fraction is not None), key=lambda e: e.fraction or 0.0, reverse=better)
    failed = [e for e in ends if e.status == "failed"]
    perfect = bool(scored) and scored[0].fraction == (1.0 if better else 0.0)
    best = scored[0] if perfect or (scored and not failed) else (failed or ends)[0]
    for step in {s for e in ends for s in e.found.executions} if len(ends) > 1 else ():
        best.found.executions[step] = tuple(x for e in ends for x in e.found.executions.get(step, ()))
    return best


async def _explained(scorer: Scorer, end: End) -> End:
    """The end with its reason; a score stands without one."""
    if scorer.reasons == "none" or end.trail is None:
        return end
    before = len(end.trail.notes)
    try:
        return evolve(end, reason=await _take(scorer, "generate_reason", end.trail, end.found))
    except Exception as e:
        kind = e.kind if isinstance(e, Failed) else type(e).__name__
        end.found.notes.append(f"generate_reason failed ({kind}): {e}")
        return end
    finally:
        end.found.notes += end.trail.notes[before:]


async def _take(scorer: Scorer, step: Step, trail: AnyTrail, found: Findings) -> Any:
    """The value of one step: of a function, or of the judge."""
    how = getattr(scorer.spec, step)
    if how is None:
        return None
    value = await _ask(scorer, step, how, trail, found) if isinstance(how, Ask) else await _called(how, trail)
    if step in ("preprocess", "analyze"):
        shows = how.shows if isinstance(how, Ask) else None
        found.shown[step] = plain(getattr(value, shows) if shows else value)
    return value


async def _called(function: Any, trail: AnyTrail) -> Any:
    value = function(trail)
    return await value if inspect.isawaitable(value) else value


async def _ask(scorer: Scorer, step: Step, how: Ask[Any], trail: AnyTrail, found: Findings) -> Any:
    if how.unless and (ready := how.unless(trail)) is not None:
        return ready
    items = tuple(getattr(trail.preprocess, how.each)) if how.each else ()
    if how.each and not items:
        return _nothing(how.reply)
    question = Question(how.reply, items, _lists(trail), how.menus(scorer.options))
    prompt = scorer.prompts.render(scorer.spec, step, how, _names(trail, question))
    found.prompts[step], found.templates[step] = prompt.text, prompt.files
    metadata = {"scorer": scorer.spec.id, "step": step, "template": f"{how.folder or scorer.spec.id}/{step}"}
    assert scorer.judge is not None  # checked when the scorer is made
    outcome = await scorer.judge.ask(prompt, question, metadata)
    found.executions[step] = outcome.executions
    found.notes += [f"{step}: {r}" for e in outcome.executions for r in e.repairs]
    found.notes += [n] if outcome.fidelity and (n := f"fidelity: {outcome.fidelity}") not in found.notes else []
    if outcome.failed:
        raise outcome.failed
    return how.then(trail, outcome.value) if how.then else outcome.value


def _nothing(reply: Any) -> Any:
    """The reply about no items: every list empty."""
    return reply(**{a.name: () for a in attrs.fields(reply) if a.default is attrs.NOTHING})


def _lists(trail: AnyTrail) -> dict[str, Any]:
    """The lists whose pieces a reply can name by number."""
    before = attrs.asdict(trail.preprocess, recurse=False) if attrs.has(type(trail.preprocess)) else {}
    return {"context": trail.context, **before}


def _names(trail: AnyTrail, question: Question) -> Mapping[str, Any]:
    """What the template of a step can name."""
    shape = {} if question.reply is str else {"answer_shape": answer_shape(question.reply, question.menus)}
    known = ("question", "answer", "ground_truth", "context", "preprocess", "analyze", "score", "scale", "options")
    return {name: getattr(trail, name) for name in (*known, "language", "run")} | {"items": question.items} | shape


def _checked(value: Any) -> float:
    """A fraction, as the contract asks."""
    fraction = value.score if isinstance(value, Score) else value
    number = isinstance(fraction, (int, float)) and not isinstance(fraction, bool)
    if not number or not math.isfinite(fraction) or not 0 <= fraction <= 1:
        raise Failed("scorer_error", f"generate_score: expected a fraction in [0, 1], got {value!r}")
    return float(fraction)

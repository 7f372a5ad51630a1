"""What a walk starts with: the trail of a run for each of its ground truths, and whether it holds what is needed."""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import evolve, frozen

from ..contract.errors import Failed, NotScorable
from ..contract.plain import as_text, is_missing, plain
from ..contract.schema import Run
from ..contract.trail import Need, Trail
from ..prompting.marks import clean
from ..runs.context import Chunk, Context, find_context
from ..runs.messages import Said, raw_messages, said
from ..runs.redaction import Redact, redacted, redacted_run
from ..support.log import warn_once
from .bound import Bound

AnyTrail: TypeAlias = Trail[Any, Any]
_IN_ORDER: tuple[Need, ...] = ("ground_truth", "question", "answer", "context_source", "context")


@frozen
class Start:
    """The context found for a run, and its trails: one for each ground truth, or one without any."""

    context: Context
    trails: tuple[AnyTrail, ...]


async def set_out(bound: Bound, run: Run) -> Start:
    """The start of a walk of `run`.

    Raises:
        Failed: `get_context` raised, or gave what is no context.
    """
    spoken = said(run)
    context = await find_context(run, bound.context, bound.get_context, spoken.tool_results)
    if bound.context is not None and context.source == "row":
        warn_once(f"{bound.label}: rows bring a context of their own, which goes before the static one")
    truths = _truths(bound, run)
    notes = [[f"ground_truth {n} of {len(truths)}"] if len(truths) > 1 else [] for n in range(1, len(truths) + 1)]
    trails = (_trail(bound, run, spoken, context, truth, note) for truth, note in zip(truths, notes, strict=True))
    return Start(context, tuple(trails))


def look_at_needs(bound: Bound, trail: AnyTrail) -> None:
    """End the walk of a run that lacks what the scorer needs: looked at are ground truth, answer, context, in order.

    Raises:
        Failed: there is no ground truth, and the scorer requires one.
        Settled: the spec fixes the score of a run without this need.
        NotScorable: it does not.
    """
    for need in sorted(bound.spec.needs_with(bound.options), key=_IN_ORDER.index):
        value = getattr(trail, need)
        if value and (not isinstance(value, str) or value.strip()):
            continue
        if need == "ground_truth" and getattr(bound.options, "require_ground_truth", True):
            raise Failed("missing_ground_truth", f"{bound.spec.id} needs a ground truth, and this run has none")
        if settled := bound.spec.without.get(need):
            raise evolve(settled)
        raise NotScorable(_lack(need, trail))


def ground_truths(value: Any) -> list[str]:
    """The right answers that `value` gives, as texts; none for what is missing: None, NaN, blank text.

    Messages are one conversation, whose answer is the right one.
    """
    if _is_talk(value):
        return ground_truths(said(Run(output=value)).answer)
    if isinstance(value, (list, tuple)):
        return [text for v in value for text in ground_truths(v)]
    blank = isinstance(value, str) and not value.strip()
    return [] if blank or is_missing(value) else [as_text(value)]


def _is_talk(value: Any) -> bool:
    """Whether `value` is messages and nothing else; pairs of texts are taken for texts."""
    many = value if isinstance(value, list) else [value]
    return bool(many) and all(not isinstance(one, tuple) and raw_messages(one) for one in many)


def _truths(bound: Bound, run: Run) -> list[str | None]:
    """A list means that any of these is right; a scorer that needs no ground truth sees it whole."""
    if "ground_truth" in bound.spec.needs_with(bound.options):
        return [*ground_truths(run.ground_truth)] or [None]
    truths = ground_truths(run.ground_truth)
    return [truths[0] if _is_talk(run.ground_truth) else as_text(run.ground_truth)] if truths else [None]


def _trail(bound: Bound, run: Run, spoken: Said, context: Context, truth: str | None, note: list[str]) -> AnyTrail:
    given = {"question": spoken.question, "answer": spoken.answer, "ground_truth": truth, "context": context.chunks}
    shown = {name: _redacted(value, bound.redact) for name, value in given.items()} if bound.redact else given
    sent = {name: _cleaned(value) for name, value in shown.items()}
    replaced = [name for name in given if sent[name] != shown[name]]
    unfit = [f"characters that can't be sent were replaced in: {', '.join(replaced)}"] if replaced else []
    return Trail(
        **sent,
        context_source=context.source,
        preprocess=None,
        analyze=None,
        scale=bound.options.scale,
        options=bound.options,
        language=bound.language,
        run=redacted_run(run, bound.redact) if bound.redact else run,
        notes=[*spoken.notes, *note, *unfit],
    )


def _redacted(value: Any, redact: Redact | None) -> Any:
    if value is None or redact is None:
        return value
    if not isinstance(value, tuple):
        return redact(value)
    return tuple(Chunk(redact(chunk), redacted(plain(chunk.metadata), redact)) for chunk in value)


def _cleaned(value: Any) -> Any:
    """`value`, a text, chunks or None, with texts that can be sent; itself, where they all can."""
    if value is None:
        return None
    if not isinstance(value, tuple):
        return clean(value)
    sent = tuple(map(clean, value))
    return value if sent == value else tuple(Chunk(text, c.metadata) for text, c in zip(sent, value, strict=True))


def _lack(need: Need, trail: AnyTrail) -> str:
    if need == "answer":
        return "the output is empty"
    if need == "context" and trail.context_source:
        return f"the context (from {trail.context_source}) is empty"
    return f"this run has no {'context' if need == 'context_source' else need.replace('_', ' ')}"

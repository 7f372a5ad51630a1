"""Prompt alignment: how well an answer does what the user and the system prompt ask for. 1 is in all, 0 in nothing."""

from typing import Annotated, Any, Literal

from attrs import evolve, field, frozen

from scorer_core import Ask, Band, NotScorable, Options, Range, Scorer, ScorerSpec, Trail, messages_of, one_of

WEIGHTS = {  # of intent, requirements, completeness, appropriateness, in percent, so that parts of 1 sum to 1 exactly
    "user": (40, 30, 20, 10),
    "system": (35, 35, 15, 15),
}
SHARES = {"user": 70, "system": 30}  # of "both"
Part = Annotated[float, Range(0, 1)]


def all_or_some(_: Any, option: Any, value: Any) -> None:
    """A validator: true, false, or how many."""
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"{option.name}: expected true, false, or how many messages, got {value!r}")


@frozen(kw_only=True)
class AlignmentOptions(Options):
    """What a user can set.

    Args:
        evaluation_mode: Whose prompt counts: "user", "system", or "both", 70 % the user's and 30 % the system's.
        include_conversation_history: Whether earlier messages are shown, or how many of the last ones.
    """

    evaluation_mode: Literal["user", "system", "both"] = field(
        default="both", validator=one_of("user", "system", "both")
    )
    include_conversation_history: bool | int = field(default=False, validator=all_or_some)


@frozen
class Asked:
    """What was asked for: "" where nobody did; and the messages before, where they are shown."""

    user: str
    system: str
    history: tuple[str, ...] = ()


@frozen
class Intent:
    """What the prompts are after."""

    primary_intent: Annotated[str, "what is asked for above all"]
    is_addressed: bool
    reasoning: Annotated[str, "one sentence"]
    score: Part


@frozen
class Requirement:
    """One thing that is asked for expressly."""

    requirement: str
    reasoning: Annotated[str, "one sentence"]
    is_fulfilled: bool


@frozen
class Requirements:
    """All that is asked for expressly."""

    requirements: Annotated[tuple[Requirement, ...], "[] if there are none"]
    overall_score: Part


@frozen
class Completeness:
    """Whether all of it was dealt with."""

    missing_elements: Annotated[tuple[str, ...], "[] if there are none"]
    reasoning: Annotated[str, "one sentence"]
    score: Part


@frozen
class Appropriateness:
    """Whether form and tone are as asked for."""

    format_alignment: bool
    tone_alignment: bool
    reasoning: Annotated[str, "one sentence"]
    score: Part


@frozen
class Alignment:
    """The four parts."""

    intent_alignment: Intent
    requirements_fulfillment: Requirements
    completeness: Completeness
    response_appropriateness: Appropriateness


def asked(trail: Trail[None, None]) -> Asked:
    """The prompts that count, and the messages before the question where they are shown.

    Raises:
        NotScorable: there is no prompt that counts.
    """
    mode, shown = trail.options.evaluation_mode, trail.options.include_conversation_history
    said = messages_of(trail.run)
    system = "\n\n".join(m.text for m in said if m.role == "system" and m.text.strip())
    made = Asked(trail.question if mode != "system" else "", system if mode != "user" else "")
    if not (made.user.strip() or made.system.strip()):
        raise NotScorable(f"this run has no {'prompt' if mode == 'both' else f'{mode} prompt'}")
    talk = [m for m in said if m.role in ("user", "assistant") and m.text.strip()]
    at = max((n for n, m in enumerate(talk) if m.role == "user" and m.text == trail.question), default=0)
    last = at if shown is True else min(shown, at)
    return evolve(made, history=tuple(f"{m.role}: {m.text}" for m in talk[at - last : at]))


def alignment(trail: Trail[Asked, Alignment]) -> float:
    """Weighted mean of the four parts, in [0, 1]; higher is better.

        user   = 0.4 intent + 0.3 requirements + 0.2 completeness + 0.1 appropriateness
        system = 0.35 (intent + requirements) + 0.15 (completeness + appropriateness)
        both   = 0.7 user + 0.3 system; where a run has one prompt alone, that one

    Source: Mastra's prompt alignment.
    """
    a = trail.analyze
    intent, requirements = a.intent_alignment.score, a.requirements_fulfillment.overall_score
    parts = (intent, requirements, a.completeness.score, a.response_appropriateness.score)
    there = [who for who in WEIGHTS if getattr(trail.preprocess, who).strip()]
    shares = SHARES if len(there) > 1 else {there[0]: 100}
    of = {who: sum(w * p for w, p in zip(WEIGHTS[who], parts, strict=True)) for who in shares}
    return min(sum(share * of[who] for who, share in shares.items()) / 10_000, 1.0)


spec = ScorerSpec(
    id="prompt_alignment",
    description="How well the answer does what the user and the system prompt ask for",
    higher_is="better",
    bands=(
        Band(0, "does not do what is asked"),
        Band(0, "does little of it"),
        Band(0.4, "does part of it"),
        Band(0.7, "does most of it"),
        Band(1, "does all of it"),
    ),
    package=__name__,
    needs=("answer",),
    options=AlignmentOptions,
    preprocess=asked,
    analyze=Ask(Alignment),
    generate_score=alignment,
    generate_reason=Ask(str),
)


def create_prompt_alignment_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: `AlignmentOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)

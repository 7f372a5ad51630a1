"""Multi-turn judge: whether all turns of an assistant together satisfy a criterion. 1 is yes, 0 is no."""

from typing import Annotated, Any

from attrs import field, frozen

from scorer_core import Ask, Band, NotScorable, Options, Scorer, ScorerSpec, Trail, messages_of


def a_sentence(_: Any, option: Any, value: Any) -> None:
    """A validator: a text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{option.name}: expected a sentence, got {value!r}")


@frozen(kw_only=True)
class MultiTurnOptions(Options):
    """What a user can set.

    Args:
        criterion: What the assistant must have done by the end, in a sentence.
    """

    criterion: str = field(validator=a_sentence)


@frozen
class Turns:
    """What the assistant said, turn by turn."""

    turns: tuple[str, ...]


@frozen
class Judgement:
    """The judge's word on all of it."""

    reason: Annotated[str, "one or two sentences, naming the turns that decide"]
    satisfied: bool


def turns(trail: Trail[None, None]) -> Turns:
    """The assistant's turns, in order; a plain output is one.

    Raises:
        NotScorable: none of them holds text.
    """
    said = tuple(m.text for m in messages_of(trail.run) if m.role == "assistant" and m.text.strip())
    if not said:
        raise NotScorable("the assistant says nothing in this run")
    return Turns(said)


def satisfied(trail: Trail[Turns, Judgement]) -> float:
    """1 if the criterion is satisfied, else 0. Source: Mastra's scorer of the same name."""
    return float(trail.analyze.satisfied)


def judgement_told(trail: Trail[Turns, Judgement]) -> str:
    """The outcome, the criterion, and why."""
    outcome = "satisfied" if trail.analyze.satisfied else "not satisfied"
    return f"{outcome}: {trail.options.criterion} ({trail.analyze.reason})"


spec = ScorerSpec(
    id="multi_turn_judge",
    description="Whether all turns of the assistant together satisfy a criterion",
    higher_is="better",
    bands=(Band(0, "not satisfied"), Band(0, "in part"), Band(1, "satisfied")),
    package=__name__,
    needs=("answer",),
    options=MultiTurnOptions,
    preprocess=turns,
    analyze=Ask(Judgement),
    generate_score=satisfied,
    generate_reason=judgement_told,
)


def create_multi_turn_judge_scorer(model: Any, criterion: str, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name, about `criterion`.

    Args:
        model: A LangChain chat model, or a text that names one.
        criterion: What the assistant must have done by the end, in a sentence.
        how: The option `scale`, and all of `Scorer.of`.
    """
    return Scorer.of(spec, model, criterion=criterion, **how)

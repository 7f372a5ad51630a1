"""Custom: how far an answer meets criteria of your own, told in plain sentences. 1 is throughout, 0 not at all."""

from typing import Annotated, Any, Literal

from attrs import field, frozen
from attrs.validators import optional

from scorer_core import (
    Ask,
    Band,
    ItemText,
    Menu,
    Options,
    Scorer,
    ScorerSpec,
    Trail,
    as_texts,
    as_words,
    one_of,
    some_texts,
    some_words,
)

YES_OR_NO = {"no": "it does not, or only in part", "yes": "it does, throughout"}


@frozen(kw_only=True)
class CustomOptions(Options):
    """What a user can set.

    Args:
        criterion: What the answer must do or be, in a sentence; or several, each judged by itself.
        levels: The words that a criterion is judged with, from worst to best, with what each means; two or more, no and
            yes unless given.
        steps: How to go about it, one step after the other.
        against: What the judge sees besides question and answer: "context" or "ground_truth".
    """

    criterion: tuple[str, ...] = field(converter=as_texts, validator=some_texts(1))
    levels: dict[str, str] = field(default=YES_OR_NO, converter=as_words, validator=some_words(2))
    steps: tuple[str, ...] = field(default=(), converter=as_texts, validator=some_texts())
    against: Literal["context", "ground_truth"] | None = field(
        default=None, validator=optional(one_of("context", "ground_truth"))
    )


@frozen
class Criteria:
    """What the user asks of the answer."""

    criteria: tuple[str, ...]


@frozen(kw_only=True)
class Verdict:
    """The judge's word on one criterion."""

    number: int
    criterion: ItemText
    reason: Annotated[str, "one sentence, with what in the answer decides"]
    level: Annotated[str, Menu("levels")]


@frozen
class Verdicts:
    """One verdict for each criterion."""

    verdicts: tuple[Verdict, ...]


def criteria(trail: Trail[None, None]) -> Criteria:
    """The criteria, as the user gave them."""
    return Criteria(trail.options.criterion)


def mean_level(trail: Trail[Criteria, Verdicts]) -> float:
    """Mean over the criteria of the level each is met at, in [0, 1]; higher is better.

        level = place among the levels, counted from 0 / (number of levels - 1)

    Our own.
    """
    levels, verdicts = [*trail.options.levels], trail.analyze.verdicts
    return sum(levels.index(v.level) for v in verdicts) / ((len(levels) - 1) * len(verdicts))


def verdicts_told(trail: Trail[Criteria, Verdicts]) -> str:
    """A line for each criterion: its level, what it asks for, and the judge's reason."""
    return "\n".join(f"{v.level}: {v.criterion} ({v.reason})" for v in trail.analyze.verdicts)


spec = ScorerSpec(
    id="custom",
    description="How far the answer meets criteria of your own, told in plain sentences",
    higher_is="better",
    bands=(Band(0, "not met"), Band(0, "met in small part"), Band(0.5, "met in large part"), Band(1, "met")),
    package=__name__,
    needs=("answer",),
    options=CustomOptions,
    preprocess=criteria,
    analyze=Ask(Verdicts, each="criteria"),
    generate_score=mean_level,
    generate_reason=verdicts_told,
)


def create_custom_scorer(model: Any, criterion: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name, about `criterion`.

    Args:
        model: A LangChain chat model, or a text that names one.
        criterion: A sentence, or a list of them.
        how: The other `CustomOptions`, `label` to call its scores by, and all of `Scorer.of`.
    """
    return Scorer.of(spec, model, criterion=criterion, **how)

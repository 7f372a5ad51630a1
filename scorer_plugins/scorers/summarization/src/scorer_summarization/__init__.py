"""Summarization: whether a summary keeps to its source and covers it. 1 is both, 0 is one of them not at all."""

from typing import Annotated, Any

from attrs import evolve, field, frozen
from attrs.validators import instance_of, optional

from scorer_core import Ask, Band, ItemText, NotScorable, Options, Scorer, ScorerSpec, Settled, Trail, whole


@frozen(kw_only=True)
class SummarizationOptions(Options):
    """What a user can set.

    Args:
        source: The text that was to be summed up; unless given, the context of a run, or else its question.
        max_questions: The most questions about the source that a summary is asked; 1 or more.
    """

    source: str | None = field(default=None, validator=optional(instance_of(str)))
    max_questions: int = field(default=10, validator=whole(1))


@frozen
class Aligned:
    """A claim of the summary, held against the source."""

    claim: str
    reason: Annotated[str, "one sentence"]
    supported: bool


@frozen
class Reading:
    """What the summary claims, and what the source answers with yes."""

    alignment: Annotated[tuple[Aligned, ...], "[] if it claims nothing"]
    questions: Annotated[tuple[str, ...], "[] if the source says nothing"]


@frozen(kw_only=True)
class Answered:
    """Whether the summary alone answers a question."""

    number: int
    question: ItemText
    reason: Annotated[str, "one sentence"]
    answered: bool


@frozen
class Coverage:
    """One element for each question."""

    coverage: tuple[Answered, ...]


def without_source(trail: Trail[None, None]) -> None:
    """Raises:
    NotScorable: there is nothing that could have been summed up.
    """
    if not any(text.strip() for text in (trail.options.source or "", trail.question, *trail.context)):
        raise NotScorable("this run has no source: no context and no question")


def as_many_as_wanted(trail: Trail[None, None], reading: Reading) -> Reading:
    """`reading` with the first questions alone, and each once."""
    return evolve(reading, questions=tuple(dict.fromkeys(reading.questions))[: trail.options.max_questions])


def nothing_to_compare(trail: Trail[Reading, None]) -> None:
    """Raises:
    Settled: the score is 0, as there are no claims or no questions.
    """
    if not trail.preprocess.alignment:
        raise Settled(0.0, "the summary claims nothing")
    if not trail.preprocess.questions:
        raise Settled(0.0, "the source holds nothing that a summary could be asked about")


def worse_of_both(trail: Trail[Reading, Coverage]) -> float:
    """The lower of alignment and coverage, in [0, 1]; higher is better.

        alignment = supported claims / claims of the summary
        coverage  = questions that the summary answers / questions about the source

    Source: Mastra's summarization.
    """
    claims, questions = trail.preprocess.alignment, trail.analyze.coverage
    return min(sum(c.supported for c in claims) / len(claims), sum(q.answered for q in questions) / len(questions))


spec = ScorerSpec(
    id="summarization",
    description="Whether the summary keeps to its source, and how much of that it covers",
    higher_is="better",
    bands=(
        Band(0, "says nothing of the source, or nothing that it says"),
        Band(0, "mostly unsupported, or leaves most out"),
        Band(0.4, "partly unsupported, or leaves much out"),
        Band(0.7, "small faults or gaps"),
        Band(1, "keeps to the source and covers it"),
    ),
    package=__name__,
    needs=("answer",),
    without={"answer": Settled(0.0, "the summary is empty, so it covers nothing", vacuous=False)},
    options=SummarizationOptions,
    preprocess=Ask(Reading, unless=without_source, then=as_many_as_wanted),
    analyze=Ask(Coverage, each="questions", unless=nothing_to_compare),
    generate_score=worse_of_both,
    generate_reason=Ask(str),
)


def create_summarization_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: `SummarizationOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)

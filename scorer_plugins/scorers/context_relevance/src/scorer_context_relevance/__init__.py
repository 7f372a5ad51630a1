"""Context relevance: how relevant the chunks of a context are, less what was left unused or is missing. 1 is best."""

from typing import Annotated, Any, Literal

from attrs import field, frozen

from scorer_core import Ask, Band, ItemText, Options, Scorer, ScorerSpec, Trail, between

WEIGHTS = {"high": 1.0, "medium": 0.7, "low": 0.3, "none": 0.0}


@frozen(kw_only=True)
class RelevanceOptions(Options):
    """What is taken off the mean relevance; each 0 or more.

    Args:
        unused_high_relevance_context: For each chunk of high relevance that the answer makes no use of.
        missing_context_per_item: For each thing that the context should have and has not.
        max_missing_context_penalty: The most that is taken off for what is missing.
    """

    unused_high_relevance_context: float = field(default=0.1, validator=between(0))
    missing_context_per_item: float = field(default=0.15, validator=between(0))
    max_missing_context_penalty: float = field(default=0.5, validator=between(0))


@frozen(kw_only=True)
class Evaluation:
    """The judge's word on one chunk of the context."""

    number: int
    context_piece: ItemText
    reasoning: Annotated[str, "one sentence"]
    relevance_level: Literal["high", "medium", "low", "none"]
    was_used: bool


@frozen(kw_only=True)
class Assessment:
    """One evaluation for each chunk, and what the context lacks."""

    evaluations: tuple[Evaluation, ...]
    missing_context: Annotated[tuple[str, ...], "[] if nothing is missing"] = ()
    overall_assessment: Annotated[str, "one sentence"]


@frozen(kw_only=True)
class Accounted(Assessment):
    """The assessment, and the parts of the score: what the chunks are worth, and what is taken off."""

    mean_relevance: float
    unused_penalty: float
    missing_penalty: float


def accounted(trail: Trail[None, None], said: Assessment) -> Accounted:
    """`said` with the parts of the score, see `relevance`."""
    o, pieces = trail.options, said.evaluations
    unused = sum(e.relevance_level == "high" and not e.was_used for e in pieces)
    return Accounted(
        evaluations=pieces,
        missing_context=said.missing_context,
        overall_assessment=said.overall_assessment,
        mean_relevance=sum(WEIGHTS[e.relevance_level] for e in pieces) / len(pieces),
        unused_penalty=float(unused * o.unused_high_relevance_context),
        missing_penalty=float(
            min(len(said.missing_context) * o.missing_context_per_item, o.max_missing_context_penalty)
        ),
    )


def relevance(trail: Trail[None, Assessment]) -> float:
    """The mean relevance of the chunks less both penalties, in [0, 1]; higher is better.

        mean    = mean of the weights of all chunks: high 1, medium 0.7, low 0.3, none 0
        unused  = chunks of high relevance not used * unused_high_relevance_context
        missing = min(things missing * missing_context_per_item,
                      max_missing_context_penalty)
        score   = mean - unused - missing, at least 0

    Source: Mastra's context relevance.
    """
    parts = accounted(trail, trail.analyze)  # type: ignore[arg-type]
    return max(0.0, parts.mean_relevance - parts.unused_penalty - parts.missing_penalty)


spec = ScorerSpec(
    id="context_relevance",
    description="How relevant the chunks of the context are, less what was left unused or is missing",
    higher_is="better",
    bands=(
        Band(0, "useless"),
        Band(0, "mostly beside the question"),
        Band(0.4, "relevant in part"),
        Band(0.7, "mostly relevant"),
        Band(0.9, "relevant and used"),
    ),
    package=__name__,
    needs=("question", "answer", "context"),
    options=RelevanceOptions,
    analyze=Ask(Assessment, each="context", then=accounted),
    generate_score=relevance,
    generate_reason=Ask(str),
)


def create_context_relevance_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: `RelevanceOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)

"""Context precision: whether the chunks that help stand before those that do not. 1 is all in front, 0 no help."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from attrs import frozen

from scorer_core import Ask, Band, ItemText, NotScorable, Scorer, ScorerSpec, Trail


@frozen(kw_only=True)
class Verdict:
    """The judge's word on one chunk of the context: "yes" helps."""

    number: int
    context_piece: ItemText
    reason: Annotated[str, "one sentence"]
    verdict: Literal["yes", "no"]


@frozen
class Verdicts:
    """One verdict for each chunk, in the order of the context."""

    verdicts: tuple[Verdict, ...]


@frozen
class Ranked(Verdicts):
    """The verdicts, and at each rank with a chunk that helps, which share of those up to it do."""

    precision_at: Mapping[int, float]


def somewhere_to_get(trail: Trail[None, None]) -> None:
    """Ends the walk of a run with neither a ground truth nor an output: no chunk can lead to nothing.

    Raises:
        NotScorable: there is neither.
    """
    if not (trail.ground_truth or trail.answer.strip()):
        raise NotScorable("this run has neither a ground truth nor an output that the context could lead to")


def precision_at(verdicts: Sequence[Verdict]) -> dict[int, float]:
    """The share of the first k chunks that help, for each rank k, from 1, whose chunk helps."""
    helps = [v.verdict == "yes" for v in verdicts]
    return {k: sum(helps[:k]) / k for k, helpful in enumerate(helps, 1) if helpful}


def ranked(trail: Trail[None, None], said: Verdicts) -> Ranked:
    """`said` with the precision at each rank that counts."""
    return Ranked(said.verdicts, precision_at(said.verdicts))


def mean_precision(trail: Trail[None, Verdicts]) -> float:
    """The mean, over the chunks that help, of the precision at their ranks, in [0, 1]; higher is better; without any 0.

        precision at k = chunks that help among the first k / k

    Source: average precision over what was retrieved; Manning, Raghavan and Schütze (2008), "Introduction to
    information retrieval", section 8.4.
    """
    found = precision_at(trail.analyze.verdicts).values()
    return sum(found) / len(found) if found else 0.0


spec = ScorerSpec(
    id="context_precision",
    description="Whether the chunks of the context that help stand before those that do not",
    higher_is="better",
    bands=(
        Band(0, "nothing that helps"),
        Band(0, "what helps stands far behind"),
        Band(0.4, "mixed"),
        Band(0.7, "what helps stands mostly in front"),
        Band(1, "what helps stands in front"),
    ),
    package=__name__,
    needs=("question", "context"),
    analyze=Ask(Verdicts, each="context", unless=somewhere_to_get, then=ranked),
    generate_score=mean_precision,
    generate_reason=Ask(str),
)


def create_context_precision_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: the option `scale`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)

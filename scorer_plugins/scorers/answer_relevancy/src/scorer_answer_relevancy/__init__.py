"""Answer relevancy: the share of an answer's statements that bear on the question. 1 is all of them, 0 is none."""

from typing import Annotated, Any, Literal

from attrs import field, frozen

from scorer_core import (
    Ask,
    Band,
    ItemText,
    NotScorable,
    Options,
    Scorer,
    ScorerSpec,
    Trail,
    between,
    concatenated,
)


@frozen(kw_only=True)
class RelevancyOptions(Options):
    """What a user can set.

    Args:
        uncertainty_weight: What a statement counts that is near the topic and may or may not help, in [0, 1].
    """

    uncertainty_weight: float = field(default=0.3, validator=between(0, 1))


@frozen
class Statements:
    """What an answer says, in pieces that stay or go as one."""

    statements: Annotated[tuple[str, ...], "in the order of the text; [] if it says nothing"]


@frozen(kw_only=True)
class Result:
    """The judge's word on one statement: "yes" bears on the question."""

    number: int
    statement: ItemText
    reason: Annotated[str, "one sentence"]
    result: Literal["yes", "no", "unsure"]


@frozen
class Results:
    """One result for each statement."""

    results: tuple[Result, ...]


def relevant_share(trail: Trail[Statements, Results]) -> float:
    """Relevant statements, and unsure ones by their weight, over all statements, in [0, 1]; higher is better.

        score = (yes + uncertainty_weight * unsure) / statements

    Raises:
        NotScorable: the answer states nothing.

    Source: Mastra's answer relevancy.
    """
    said = [r.result for r in trail.analyze.results]
    if not said:
        raise NotScorable("the answer states nothing")
    return float((said.count("yes") + trail.options.uncertainty_weight * said.count("unsure")) / len(said))


spec = ScorerSpec(
    id="answer_relevancy",
    description="Share of the answer's statements that bear on the question",
    higher_is="better",
    bands=(
        Band(0, "beside the question"),
        Band(0, "mostly beside the question"),
        Band(0.4, "to the point in part"),
        Band(0.7, "mostly to the point"),
        Band(1, "all to the point"),
    ),
    package=__name__,
    needs=("question", "answer"),
    options=RelevancyOptions,
    preprocess=Ask(Statements, cuts="answer", joins=concatenated),
    analyze=Ask(Results, each="statements"),
    generate_score=relevant_share,
    generate_reason=Ask(str),
)


def create_answer_relevancy_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: `RelevancyOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)

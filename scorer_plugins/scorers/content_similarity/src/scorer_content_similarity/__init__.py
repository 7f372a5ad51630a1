"""Content similarity: how many pairs of characters an answer and a text share. 1 is all of them, 0 none."""

from typing import Any

from attrs import field, frozen, validators

from scorer_core import Against, Band, Scorer, ScorerSpec, Settled, Trail
from scorer_words import dice


@frozen(kw_only=True)
class ContentOptions(Against):
    """What can be set, beside what the answer is held against.

    Args:
        ignore_case: Whether upper and lower case are the same.
    """

    ignore_case: bool = field(default=True, validator=validators.instance_of(bool))


def similarity(trail: Trail[None, None]) -> float:
    """The Dice coefficient of the pairs of characters of answer and reference, in [0, 1]; higher is better. See `dice`.

    Source: Mastra's content similarity.
    """
    return dice(trail.reference, trail.answer, ignore_case=trail.options.ignore_case)


def said(trail: Trail[None, None]) -> str:
    """The share in words."""
    against = trail.options.against.replace("_", " ")
    return f"{similarity(trail):.0%} of the pairs of characters are shared with the {against}."


spec = ScorerSpec(
    id="content_similarity",
    description="How many pairs of characters an answer and a text share",
    higher_is="better",
    bands=(
        Band(0, "nothing in common"),
        Band(0, "little in common"),
        Band(0.4, "partly the same"),
        Band(0.7, "nearly the same"),
        Band(1, "the same"),
    ),
    package=__name__,
    needs=("answer",),
    without={"answer": Settled(0.0, "the output is empty", vacuous=False)},
    options=ContentOptions,
    generate_score=similarity,
    generate_reason=said,
)


def create_content_similarity_scorer(**how: Any) -> Scorer:
    """A scorer that asks nobody; `how`: `ContentOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, **how)

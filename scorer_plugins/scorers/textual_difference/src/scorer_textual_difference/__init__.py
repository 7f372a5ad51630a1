"""Textual difference: how much of an answer and a text is the same, character by character in order. 1 is all of it."""

from typing import Any
from unicodedata import normalize

from rapidfuzz.distance import Indel

from scorer_core import Against, Band, Scorer, ScorerSpec, Settled, Trail


def ratio(one: str, other: str) -> float:
    """Twice the length of the longest common subsequence of two texts, over the length of both; 1 for the same text.

    In [0, 1]. Case and white space count; how marks are put on letters does not.
    """
    return float(Indel.normalized_similarity(normalize("NFC", one), normalize("NFC", other)))


def sameness(trail: Trail[None, None]) -> float:
    """The `ratio` of answer and reference, in [0, 1]; higher is better. Source: Mastra's textual difference."""
    return ratio(trail.reference, trail.answer)


def said(trail: Trail[None, None]) -> str:
    """How many characters would have to go and to come."""
    before, after = (normalize("NFC", text) for text in (trail.reference, trail.answer))
    changes = Indel.editops(before, after).as_list()
    gone = sum(kind == "delete" for kind, *_ in changes)
    named = trail.options.against.replace("_", " ")
    return (
        f"Of the {len(before)} characters of the {named} {gone} are gone in the answer, and {len(changes) - gone} came."
    )


spec = ScorerSpec(
    id="textual_difference",
    description="How much of an answer and a text is the same, character by character in order",
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
    options=Against,
    generate_score=sameness,
    generate_reason=said,
)


def create_textual_difference_scorer(**how: Any) -> Scorer:
    """A scorer that asks nobody; `how`: `Against`, and all of `Scorer.of`."""
    return Scorer.of(spec, **how)

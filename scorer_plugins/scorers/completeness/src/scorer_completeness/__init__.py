"""Completeness: the share of the words of a text that an answer takes up, in any form. 1 is all of them, 0 none."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from attrs import frozen

from scorer_core import Against, Band, NotScorable, Scorer, ScorerSpec, Settled, Trail
from scorer_words import function_words, language_of, stands_in, stem, words

BE = dict.fromkeys(("am", "is", "are", "was", "were"), "be") | dict.fromkeys(("has", "had"), "have")
AUXILIARY = {"be", "been", "being", "have", "do", "does", "did", "will", "would", "can", "could", *BE}
SHORT, ENOUGH = 3, 0.6
UNSPACED = ("ja", "zh", "th")


@frozen
class Elements:
    """The stems of the words of a text, each once, and those of them that the answer does not take up."""

    elements: tuple[str, ...]
    missing: tuple[str, ...]


def elements_of(text: str, language: str) -> list[str]:
    """The stems of the words of `text`, each once.

    English verbs that only help another one are left out, and in scripts without spaces words that say little.
    """
    found: Sequence[str] = words(text)
    if language == "en":
        found = [*_without_helpers(found)]
    if language in UNSPACED:
        found = [word for word in found if word not in function_words(language)]
    return [*dict.fromkeys(stem(word, language) for word in found)]


def _without_helpers(found: Sequence[str]) -> Iterator[str]:
    for word, after in pairwise([*found, ""]):
        if not (word in AUXILIARY and after.endswith(("ing", "ed"))):
            yield BE.get(word, word)


def covers(one: str, other: str) -> bool:
    """Whether two stems are the same; of longer ones the shorter may also be more than 0.6 of the longer."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) > SHORT and short in long and len(short) > ENOUGH * len(long))


def looked_for(trail: Trail[None, None]) -> Elements:
    """The words of the reference, looked for in the answer."""
    text = trail.reference
    language = language_of(text)
    elements, said = elements_of(text, language), elements_of(trail.answer, language)
    taken_up = [e for e in elements if stands_in(e, trail.answer) or any(covers(e, word) for word in said)]
    return Elements(tuple(elements), tuple(e for e in elements if e not in taken_up))


def share(trail: Trail[None, Elements]) -> float:
    """Elements of the reference that the answer takes up over all of them, in [0, 1]; higher is better.

    An element is a stem, once. It is taken up by the same stem, or by one that holds it or that it holds, if both have
    more than 3 letters and the shorter more than 0.6 of the longer.

    Raises:
        NotScorable: the reference has no words.

    Source: Mastra's completeness, with stems for its parts of speech.
    """
    elements, missing = trail.analyze.elements, trail.analyze.missing
    if not elements:
        raise NotScorable(f"the {trail.options.against.replace('_', ' ')} has no words to look for")
    return (len(elements) - len(missing)) / len(elements)


def said(trail: Trail[None, Elements]) -> str:
    """Which words are missing."""
    elements, missing = trail.analyze.elements, trail.analyze.missing
    told = f" Missing: {', '.join(missing)}." if missing else ""
    return f"{len(elements) - len(missing)} of {len(elements)} words are taken up in the answer.{told}"


spec = ScorerSpec(
    id="completeness",
    description="Share of the words of a text that an answer takes up, in any form",
    higher_is="better",
    bands=(
        Band(0, "none"),
        Band(0, "few"),
        Band(0.4, "some"),
        Band(0.7, "most"),
        Band(1, "all"),
    ),
    package=__name__,
    needs=("answer",),
    without={"answer": Settled(0.0, "the output is empty", vacuous=False)},
    options=Against,
    analyze=looked_for,
    generate_score=share,
    generate_reason=said,
)


def create_completeness_scorer(**how: Any) -> Scorer:
    """A scorer that asks nobody; `how`: `Against`, and all of `Scorer.of`."""
    return Scorer.of(spec, **how)

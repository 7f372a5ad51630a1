"""Keyword coverage: the share of the keywords of a text that an answer has. 1 is all of them, 0 none."""

from typing import Any

from attrs import field, frozen, validators

from scorer_core import Against, Band, NotScorable, Scorer, ScorerSpec, Settled, Trail
from scorer_words import function_words, language_of, stands_in, stem, words


@frozen(kw_only=True)
class KeywordOptions(Against):
    """What can be set, beside what the answer is held against.

    Args:
        stems: Whether words of one stem are the same: "database" and "databases".
    """

    stems: bool = field(default=False, validator=validators.instance_of(bool))


@frozen
class Keywords:
    """The keywords of a text, each once, and those of them that the answer has."""

    keywords: tuple[str, ...]
    found: tuple[str, ...]


def keywords_of(text: str) -> list[str]:
    """The words of a text, each once, without function words; numbers only where there is nothing else."""
    little = function_words(language_of(text))
    telling = [word for word in dict.fromkeys(words(text)) if word not in little]
    return [word for word in telling if not word.isdecimal()] or telling


def looked_for(trail: Trail[None, None]) -> Keywords:
    """The keywords of the reference, looked for in the answer."""
    text = trail.reference
    language = language_of(text)
    keywords, answer = keywords_of(text), words(trail.answer)
    if trail.options.stems:
        keywords, answer = ([*dict.fromkeys(stem(word, language) for word in found)] for found in (keywords, answer))
    return Keywords(tuple(keywords), tuple(k for k in keywords if k in answer or stands_in(k, trail.answer)))


def coverage(trail: Trail[None, Keywords]) -> float:
    """Keywords of the reference that the answer has over all of them, in [0, 1]; higher is better.

    A keyword is a word that says something by itself, once; a number only where there is nothing else.

    Raises:
        NotScorable: the reference has no keywords.

    Source: Mastra's keyword coverage.
    """
    if not trail.analyze.keywords:
        raise NotScorable(f"the {trail.options.against.replace('_', ' ')} has no keywords to look for")
    return len(trail.analyze.found) / len(trail.analyze.keywords)


def said(trail: Trail[None, Keywords]) -> str:
    """Which keywords are missing."""
    found, keywords = trail.analyze.found, trail.analyze.keywords
    missing = [word for word in keywords if word not in found]
    told = f" Missing: {', '.join(missing)}." if missing else ""
    return f"{len(found)} of {len(keywords)} keywords are in the answer.{told}"


spec = ScorerSpec(
    id="keyword_coverage",
    description="Share of the keywords of a text that an answer has",
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
    options=KeywordOptions,
    analyze=looked_for,
    generate_score=coverage,
    generate_reason=said,
)


def create_keyword_coverage_scorer(**how: Any) -> Scorer:
    """A scorer that asks nobody; `how`: `KeywordOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, **how)

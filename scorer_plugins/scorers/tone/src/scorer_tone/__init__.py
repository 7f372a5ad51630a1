"""Tone: how even an answer's tone is from sentence to sentence, or how near that of another text. 1 is the same."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from statistics import fmean, pvariance
from typing import Any

import vaderSentiment
from attrs import field, frozen, validators

from scorer_core import Band, NotScorable, Options, Scorer, ScorerSpec, Trail, UsageError
from scorer_words import function_words, language_of, words

NEGATIONS = ("not", "no", "never", "cannot", "without", "nor", "neither")


def _is_english(_: Any, setting: Any, value: str | None) -> None:
    if value is not None:
        try:
            check_english(value)
        except NotScorable as e:
            raise UsageError(f"{setting.name}: {e}") from e


@frozen(kw_only=True)
class ToneOptions(Options):
    """What can be set.

    Args:
        reference_tone: An English text that sets the tone; None: the answer's sentences are held against each other.
    """

    reference_tone: str | None = field(
        default=None, validator=[validators.optional(validators.instance_of(str)), _is_english]
    )


@frozen
class Tone:
    """The mean sentiment of a word, of the whole and of each sentence; and of the reference."""

    sentiment: float
    sentences: tuple[float, ...]
    reference: float | None


@cache
def lexicon() -> Mapping[str, float]:
    """What words tell of feelings, from -4 (worst) to 4 (best): means of ten people each, from VADER."""
    lines = (files(vaderSentiment) / "vader_lexicon.txt").read_text("utf-8").splitlines()
    return {word: float(value) for word, value, *_ in (line.split("\t") for line in lines)}


def check_english(text: str) -> None:
    """Nothing, for an English text.

    Raises:
        NotScorable: another language has more of its words, or none of them is known.
    """
    found, language = {*words(text)}, language_of(text)
    known = {word for word in found if word in lexicon() or word in function_words("en")}
    if language != "en" and len(found & function_words(language)) > len(known):
        raise NotScorable(f"the text reads as {language}, and the word list is English")
    if not known:
        raise NotScorable("none of the words of the text is in the English word list")


def sentiment(text: str) -> float:
    """The mean sentiment of the words of an English text, in [-4, 4]; behind a negation a word says the opposite.

    A word that is not in the lexicon counts 0, and a text without words is 0.

    Source: the lexicon of VADER; Hutto and Gilbert (2014), "VADER: a parsimonious rule-based model".
    """
    found = words(text)
    signs = [-1 if b in NEGATIONS or b.endswith("n't") else 1 for b in ["", *found]]
    return fmean([sign * lexicon().get(word, 0.0) for sign, word in zip(signs, found, strict=False)] or [0.0])


def heard(trail: Trail[None, None]) -> Tone:
    """The sentiment of the answer and of its sentences, and that of the reference."""
    check_english(trail.answer)
    sentences = [part for part in re.split(r"[.!?]+(?=\s|$)", trail.answer) if words(part)]
    reference = trail.options.reference_tone
    told = None if reference is None else sentiment(reference)
    return Tone(sentiment(trail.answer), tuple(map(sentiment, sentences)), told)


def likeness(trail: Trail[None, Tone]) -> float:
    """1 less the distance to the reference, or less the variance of the sentences; in [0, 1], higher is better.

        with a reference:  1 - |sentiment of the answer - that of the reference|
        without:           1 - variance of the sentiments of the sentences
                           each at least 0

    Source: Mastra's tone.
    """
    tone = trail.analyze
    apart = pvariance(tone.sentences) if tone.reference is None else abs(tone.sentiment - tone.reference)
    return max(0.0, 1 - apart)


def said(trail: Trail[None, Tone]) -> str:
    """The sentiments in words."""
    tone = trail.analyze
    if tone.reference is not None:
        return (
            f"A word of the answer has the sentiment {tone.sentiment:.2f}, one of the reference {tone.reference:.2f}."
        )
    return f"The sentiment of a word is, sentence by sentence: {', '.join(f'{s:.2f}' for s in tone.sentences)}."


spec = ScorerSpec(
    id="tone",
    description="How even an answer's tone is, or how near that of another text",
    higher_is="better",
    bands=(
        Band(0, "far apart"),
        Band(0, "apart"),
        Band(0.4, "somewhat alike"),
        Band(0.7, "near"),
        Band(1, "the same"),
    ),
    package=__name__,
    needs=("answer",),
    options=ToneOptions,
    analyze=heard,
    generate_score=likeness,
    generate_reason=said,
)


def create_tone_scorer(**how: Any) -> Scorer:
    """A scorer that asks nobody; `how`: `ToneOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, **how)

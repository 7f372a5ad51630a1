"""The language of a text by its script and its function words; words that mean little, and stems."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from .english import FUNCTION_WORDS
from .splitting import HAN, KANA, THAI, folded, words

_SCRIPTS = {
    "ja": KANA,
    "zh": HAN,
    "th": THAI,
    "ko": "\u1100-\u11ff\uac00-\ud7af",
    "he": "\u0590-\u05ff",
    "el": "\u0370-\u03ff",
}
_PARTICLE = re.compile("(?<=..)(에서|으로|부터|까지|은|는|이|가|을|를|의|에|도|로|와|과|만)$")
_STEMMED = {  # the most widely spoken first
    "en": "english", "es": "spanish", "fr": "french", "pt": "portuguese", "ru": "russian", "ar": "arabic",
    "hi": "hindi", "id": "indonesian", "de": "german", "tr": "turkish", "it": "italian", "pl": "polish", "nl": "dutch",
    "ro": "romanian", "hu": "hungarian", "el": "greek", "sv": "swedish", "ca": "catalan", "da": "danish",
    "fi": "finnish", "no": "norwegian", "hy": "armenian", "lt": "lithuanian", "et": "estonian", "eu": "basque",
    "ga": "irish", "eo": "esperanto",
}  # fmt: skip


def language_of(text: str) -> str:
    """The language of `text` as ISO 639-1 has it; "en" where nothing tells of another.

    A script of one language tells it; else the language of which the text has most function words.
    """
    for language, letters in _SCRIPTS.items():
        if re.search(f"[{letters}]", text):
            return language
    return _by_function_words(words(text))


def _by_function_words(found: Sequence[str]) -> str:
    """The language with most of the words, of several the most widely spoken one.

    A single word tells nothing, and neither do numbers and single letters.
    """
    telling = [word for word in found if len(word) > 1 and not word.isdecimal()]
    counts = {language: len(function_words(language).intersection(telling)) for language in _known()}
    most = max(counts, key=lambda language: counts[language])
    return most if counts[most] > 1 else "en"


@cache
def _known() -> tuple[str, ...]:
    import stopwordsiso

    return tuple(
        dict.fromkeys(
            [
                *(language for language in _STEMMED if language not in _SCRIPTS),
                *sorted(stopwordsiso.langs() - _SCRIPTS.keys()),
            ]
        )
    )


@cache
def function_words(language: str) -> frozenset[str]:
    """The words of a language that say little by themselves; none for a language without a list."""
    import stopwordsiso

    if language == "en":
        return FUNCTION_WORDS
    return frozenset(map(folded, stopwordsiso.stopwords(language))) if stopwordsiso.has_lang(language) else frozenset()


def stem(word: str, language: str) -> str:
    """The stem of a word, by Snowball; of Korean the word without its particle; else the word."""
    if language == "ko":
        return _PARTICLE.sub("", word)
    return str(_stemmer(language).stemWord(word)) if language in _STEMMED else word


@cache
def _stemmer(language: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(_STEMMED[language])

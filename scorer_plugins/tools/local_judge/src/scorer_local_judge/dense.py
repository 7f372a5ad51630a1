"""Scripts without spaces between words, cut into pairs of neighbouring signs.

Made for Japanese; Chinese, Thai, Korean and the Indic scripts are cut the same way, without knowing their negations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from .lexicon.numbers import COUNTERS, UNITS

_KANJI, _HIRAGANA, _KATAKANA = r"\u3005-\u3007\u3400-\u9fff", r"\u3041-\u309f", r"\u30a0-\u30ff"
_INDIC, _HANGUL = r"\u0900-\u0963\u0970-\u0d7f", r"\uac00-\ud7af"
_THAI_TO_KHMER = r"\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
DENSE_SIGNS = _KANJI + _HIRAGANA + _KATAKANA + _INDIC + _THAI_TO_KHMER + _HANGUL
"""For a character class."""

_SCRIPTS = re.compile(rf"[{_HIRAGANA}]+|[{_KATAKANA}]+|[{_KANJI}]+|[^{_HIRAGANA}{_KATAKANA}{_KANJI}]+")
_NOT = re.compile(
    r"(?<![少危汚切幼])(?:ない|なかった|なく(?=[、て])|なし|なければ)|ません|(?<=[らかさたわばがま])ず(?=[、に]|$)"
)
NEGATION_REACH = 5
"""Signs before a negation that it denies: about one verb or adjective with its ending."""
_LONGEST_UNIT = 6


class Piece(NamedTuple):
    key: str
    kind: Literal["word", "name", "kana"]
    shown: str
    negated: bool


def pieces(run: str, *, after_number: bool) -> Iterator[Piece]:
    """Pairs of signs within one script, and signs that stand alone between kana (歩 in 歩いて)."""
    if after_number and run[0] in COUNTERS:
        run = run[1:]
    ends = [found.start() for found in _NOT.finditer(run)]
    for part in _SCRIPTS.finditer(run):
        signs, kind = part[0], _kind(part[0])
        keys = [signs] if len(signs) == 1 and kind == "word" else [a + b for a, b in pairwise(signs)]
        for at, key in enumerate(keys, part.start()):
            negated = any(at <= end <= at + NEGATION_REACH for end in ends)
            yield Piece(key, kind, signs if kind == "name" else key, negated)


def unit(run: str) -> str:
    """The measure that a run after a number begins with, or nothing; 年 is one only as a span (年間)."""
    lengths = range(min(_LONGEST_UNIT, len(run)), 1, -1)
    return next((UNITS[run[:n]] for n in lengths if run[:n] in UNITS), "yen" if run[:1] == "円" else "")


def _kind(signs: str) -> Literal["word", "name", "kana"]:
    """Hiragana is mostly endings; katakana spells foreign names and things, which have no second spelling."""
    return "kana" if "\u3041" <= signs[0] <= "\u309f" else "name" if "\u30a0" <= signs[0] <= "\u30ff" else "word"

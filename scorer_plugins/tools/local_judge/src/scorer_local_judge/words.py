"""What a text is made of for the judge: words as stems, numbers with units, names, and which of them are negated."""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from .dense import DENSE_SIGNS, pieces, unit
from .lexicon.language import CAPITALS, DENSE_HEDGES, HEDGES, NEGATIONS, STOP, TURNS
from .lexicon.numbers import UNITS
from .numbers import value, with_digits
from .stems import stem

Kind = Literal["word", "name", "number", "kana"]

_PIECE = re.compile(
    rf"(?P<number>\d+(?:\.\d+)?)|(?P<dense>[{DENSE_SIGNS}]+)|(?P<word>[^\W\d_{DENSE_SIGNS}]+(?:'[^\W\d_{DENSE_SIGNS}]+)*)"
    r"|(?P<sign>[%$€£¥])|(?P<pause>[,;:、])|(?P<stop>[.!?。！？…\n])"
)
_SPACED_APOSTROPHE = re.compile(r"(?<=\w) ?' ?(?=(?:s|t|re|ve|m|ll|d)\b)")
_SPACED_NOT = re.compile(r"(?<=\w) (?=n't\b)")
_CONTRACTED = re.compile(r"'(?:s|re|ve|ll|d|m)$", re.IGNORECASE)
_DOTTED = re.compile(r"\b(?:[A-Za-z]\.){2,}")
_QUOTES = "\u2018\u2019\u02bc\u2032"
NEGATION_REACH = 3
"""Content words after a negation that it is taken to deny ("has never won the title": win, title)."""


class Token(NamedTuple):
    """One piece of content: two tokens with one key say the same thing."""

    key: str
    kind: Kind
    shown: str
    negated: bool = False
    unit: str = ""
    """Of a number: its measure (km, %), if it has one."""
    hedged: bool = False
    """Of a number: "about" or the like stands before it."""

    @property
    def family(self) -> str:
        """What a number counts: numbers of one family with other values exclude each other; "" for a word."""
        if self.unit or self.kind != "number":
            return self.unit
        return "calendar" if len(self.key) == 4 and self.key[0] in "12" else "count"


class Analysis:
    """The content of one sentence or short text."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self.tokens = tokens
        self.keys = frozenset([t.key for t in tokens])

    @cached_property
    def numbers(self) -> tuple[Token, ...]:
        """Each once."""
        return tuple(dict.fromkeys(t for t in self.tokens if t.kind == "number"))

    @cached_property
    def names(self) -> tuple[Token, ...]:
        return tuple(t for t in self.tokens if t.kind == "name")

    @cached_property
    def negated(self) -> frozenset[str]:
        """Keys of words that are only said in the negative."""
        said = frozenset(t.key for t in self.tokens if not t.negated)
        return frozenset(t.key for t in self.tokens if t.negated and t.kind == "word") - said

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Neighbours in their order, also with one word between them."""
        keys = [t.key for t in self.tokens]
        return frozenset(pairwise(keys)) | frozenset(zip(keys, keys[2:], strict=False))


@lru_cache(maxsize=8192)
def analyse(text: str) -> Analysis:
    """The content words, names and numbers of `text` in order, without its function words."""
    plain = _DOTTED.sub(lambda m: m[0].replace(".", ""), with_digits(joined(text)))
    return Analysis(tuple(_Walk([(m.lastgroup, m[0]) for m in _PIECE.finditer(plain)]).tokens))


def joined(text: str) -> str:
    """`text` in compatibility form with contractions closed up: `i ' m`, `do n't` -> `i'm`, `don't`."""
    if not text.isascii():
        for quote in _QUOTES:
            text = text.replace(quote, "'")
        text = unicodedata.normalize("NFKC", text)
    return _SPACED_NOT.sub("", _SPACED_APOSTROPHE.sub("'", text)) if "'" in text else text


class _Walk:
    """One pass over the pieces of a text, with what a word takes from those before it."""

    def __init__(self, found: list[tuple[str | None, str]]) -> None:
        self.found = found
        self.tokens: list[Token] = []
        self.denied = 0
        """Content words that the last negation still reaches."""
        self.opening = True
        """No word of the sentence has come yet, so a capital says nothing."""
        for at, (kind, shown) in enumerate(found):
            if kind == "word":
                self._word(at, shown)
            elif kind == "number":
                self._add(self._number(at, shown))
            elif kind == "dense":
                numbered = self._kind(at - 1) == "number"
                self.tokens += [Token(p.key, p.kind, p.shown, p.negated) for p in pieces(shown, after_number=numbered)]
            elif kind != "sign":
                self.denied = 0
                self.opening = self.opening or kind == "stop"

    def _kind(self, at: int) -> str | None:
        return self.found[at][0] if 0 <= at < len(self.found) else None

    def _near(self, at: int) -> str:
        return self.found[at][1].lower() if 0 <= at < len(self.found) else ""

    def _add(self, token: Token) -> None:
        self.tokens.append(token)
        self.denied = max(self.denied - 1, 0)

    def _word(self, at: int, shown: str) -> None:
        opening, self.opening = self.opening, False
        bare = _CONTRACTED.sub("", shown) if "'" in shown else shown
        low = bare.lower() if opening else CAPITALS.get(bare) or bare.lower()
        if low in TURNS:
            self.denied = 0
        elif low in NEGATIONS or low.endswith("n't"):
            self.denied = 0 if self.denied else NEGATION_REACH
        elif low not in STOP and not (low in UNITS and self._kind(at - 1) == "number"):
            named = bare[0].isupper() and (not opening or bare[1:2].isupper())
            self._add(Token(stem(low), "name" if named else "word", shown, self.denied > 0))

    def _number(self, at: int, digits: str) -> Token:
        before, after = self._near(at - 1), self._near(at + 1)
        measure = UNITS.get(after) or unit(after) or UNITS.get(before if self._kind(at - 1) == "sign" else "", "")
        hedge = self._near(at - 2) if self._kind(at - 1) == "sign" else before
        hedged = hedge in HEDGES or hedge.endswith(DENSE_HEDGES) or (hedge == "than" and self._near(at - 2) == "more")
        return Token(value(digits), "number", digits, self.denied > 0, measure, hedged)

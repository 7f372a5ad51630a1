"""One key for the words that say the same: forms of a word, near synonyms, countries and their people."""

from __future__ import annotations

from functools import cache, lru_cache

from .lexicon.language import DENSE_OPPOSITES, IRREGULAR, OPPOSITES, SAME

_ENDINGS = """
    izations ization ational fulness ements ities ously ingly edly ement ments ations ation ment ness ions ally ity ing
    ies ied ers ors ous est ion ian ed er or es ly al ic s
""".split()  # noqa: SIM905
"""Longest first of those that end alike; one is taken off where three letters are left."""


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """The key of one lower-case word: its group's first word, without its ending."""
    word = IRREGULAR.get(word, word)
    word = SAME.get(word, word)
    base = next((word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= 3), word)
    if len(base) > 3 and base[-1] == base[-2]:
        base = base[:-1]
    return base[:-1] if len(base) > 3 and base[-1] in "eyi" else base


def opposites(key: str) -> frozenset[str]:
    """The keys that say the opposite of `key`; often none."""
    return _opposites().get(key) or DENSE_OPPOSITES.get(key, frozenset())


@cache
def _opposites() -> dict[str, frozenset[str]]:
    return {stem(word): frozenset(map(stem, others)) for word, others in OPPOSITES.items()}

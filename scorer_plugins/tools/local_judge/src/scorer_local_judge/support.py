"""How far a context carries a claim: shared words weighted by how rare they are, numbers, negations and opposites.

The weights were set by hand and written down with their reason; none was fitted to a data set (a fitted set of them did
better on its own data and worse on all other).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from .reasons import short
from .sentences import sentences
from .stems import opposites
from .words import Analysis, Token, analyse

KIND_WEIGHTS = {"number": 2.0, "name": 1.6, "word": 1.0, "kana": 0.2}
"""A number or a name decides more than a word; kana pairs are mostly endings and particles."""
BEST_SHARE, ALL_SHARE, ORDER_SHARE = 0.55, 0.2, 0.25
"""Of the score: words in the best place, words anywhere in that chunk, neighbours in the same order."""
SUPPORTED = 0.62
"""From this score on a claim counts as supported: about two of three weighted words in one place."""
AGREES = 0.5
"""Share of the claim's other words that a place must have before its number or negation contradicts the claim."""
RELATED = 0.45
"""Share of words from which a chunk is named although it does not settle the claim."""
NUMBER_PENALTY, NAME_PENALTY, CONFLICT_PENALTY = 0.2, 0.12, 0.3
"""Taken off for each number and name that the chunk lacks, and once for what it says otherwise."""
ROUNDING = 0.1
"""Relative distance that "about" allows between two numbers."""

Stand = Literal["supported", "contradicted", "not found"]


class Place(NamedTuple):
    """A sentence of the context, or two neighbours, where a claim may stand."""

    chunk: int
    text: str
    content: Analysis


class Context(NamedTuple):
    places: tuple[Place, ...]
    chunks: tuple[Analysis, ...]
    rarity: dict[str, float]
    unseen: float
    """Rarity of a word that the context does not have."""


class Support(NamedTuple):
    """What was found for one claim."""

    stand: Stand
    score: float
    """In [0, 1]; 1 is word for word."""
    chunk: int | None
    """Number of the chunk it rests on, from 1."""
    why: str
    """A half-sentence about words and numbers."""


class Conflict(NamedTuple):
    key: str | None
    """Of the claim's word that is otherwise; a negated word itself is shared."""
    why: str


@lru_cache(maxsize=128)
def read_context(chunks: tuple[str, ...]) -> Context:
    """The places of all chunks, and how rare each word is among their sentences."""
    places: list[Place] = []
    wholes: list[Analysis] = []
    often: dict[str, int] = {}
    total = 0
    for number, chunk in enumerate(chunks, 1):
        said = [f"{s.lead}: {s.text}" if s.lead else s.text for s in sentences(chunk)]
        contents = [analyse(s) for s in said]
        for content in contents:
            for key in content.keys:
                often[key] = often.get(key, 0) + 1
        single = [Place(number, text, content) for text, content in zip(said, contents, strict=True)]
        total += len(single)
        places += [*single, *(_together(one, next_) for one, next_ in pairwise(single))]
        wholes.append(Analysis(tuple(token for content in contents for token in content.tokens)))
    rarity = {key: _rarity(count, total) for key, count in often.items()}
    return Context(tuple(places), tuple(wholes), rarity, _rarity(0, total))


def _together(one: Place, other: Place) -> Place:
    return Place(one.chunk, f"{one.text} {other.text}", Analysis(one.content.tokens + other.content.tokens))


@lru_cache(maxsize=1024)
def _rarity(count: int, total: int) -> float:
    """From 1 for a word of every sentence upwards; a third of the logarithm, so that no word rules alone."""
    return 1 + max(0.0, math.log((total + 1) / (count + 0.5))) / 3


@lru_cache(maxsize=8192)
def support(claim: str, chunks: tuple[str, ...]) -> Support:
    """What `chunks` have for `claim`; several claims of one context share its reading."""
    context, content = read_context(chunks), analyse(claim)
    weights = {t.key: KIND_WEIGHTS[t.kind] * context.rarity.get(t.key, context.unseen) for t in content.tokens}
    if not weights or not context.places:
        why = "there are no words to look for" if context.places else "there is no context"
        return Support("not found", 0.0, None, why)
    best = max(context.places, key=lambda p: (_share(weights, _said(content, p.content)), -len(p.content.tokens)))
    return _judged(content, weights, best, context.chunks[best.chunk - 1])


def _said(claim: Analysis, place: Analysis) -> frozenset[str]:
    """The keys of `place`, and those of the claim's numbers that it has nearly."""
    nearly = [n.key for n in claim.numbers if n.key not in place.keys and _has_number(place, n)]
    return place.keys.union(nearly) if nearly else place.keys


def _share(weights: dict[str, float], keys: frozenset[str]) -> float:
    """Share of all weight that `keys` have, in [0, 1]."""
    whole = sum(weights.values())
    return sum([weight for key, weight in weights.items() if key in keys]) / whole if whole else 0.0


def _judged(claim: Analysis, weights: dict[str, float], best: Place, chunk: Analysis) -> Support:
    share = _share(weights, _said(claim, best.content))
    conflict = _conflict(claim, weights, best.content)
    lost = missing_numbers(claim, chunk)
    strange = [t for t in claim.names if t.key not in chunk.keys]
    score = BEST_SHARE * share + ALL_SHARE * _share(weights, _said(claim, chunk))
    score += ORDER_SHARE * _in_order(claim, best.content, share)
    score -= NUMBER_PENALTY * len(lost) + NAME_PENALTY * len(strange) + CONFLICT_PENALTY * bool(conflict)
    score = min(1.0, max(0.0, score))
    if conflict:
        return Support("contradicted", score, best.chunk, conflict)
    if score >= SUPPORTED and not lost and not strange:
        why = f'{share:.0%} of its weighted words stand in "{short(best.text)}"'
        return Support("supported", score, best.chunk, why)
    absent = lost + strange or [t for t in claim.tokens if t.key not in chunk.keys and t.kind != "kana"]
    return Support("not found", score, best.chunk if share >= RELATED else None, _lacking(absent, share))


def _conflict(claim: Analysis, weights: dict[str, float], place: Analysis) -> str:
    """What `place` says otherwise where it agrees with the rest of the claim, else nothing."""
    found = conflict_between(claim, place)
    if found is None:
        return ""
    aside = {found.key} | {t.key for t in (*missing_numbers(claim, place), *claim.names) if t.key not in place.keys}
    rest = {key: weight for key, weight in weights.items() if key not in aside}
    return found.why if _share(rest, place.keys) >= AGREES else ""


def _in_order(claim: Analysis, place: Analysis, share: float) -> float:
    """Share of the claim's neighbours that are neighbours in the place too."""
    keys = [t.key for t in claim.tokens]
    pairs = list(pairwise(keys))
    return sum(pair in place.pairs for pair in pairs) / len(pairs) if pairs else share


def _lacking(absent: list[Token], share: float) -> str:
    if not absent:
        return f"only {share:.0%} of its weighted words stand together in the context"
    return f"the context does not have {listed(t.shown for t in absent)}"


def listed(words: Iterable[str]) -> str:
    """Up to three of `words`, quoted, each once."""
    once = list(dict.fromkeys(words))[:3]
    return ", ".join(f'"{w}"' for w in once)


def same_number(one: Token, other: Token) -> bool:
    """Whether two numbers agree in unit and value, with the rounding that an "about" announces."""
    if one.unit and other.unit and one.unit != other.unit:
        return False
    if one.key == other.key:
        return True
    if not (one.hedged or other.hedged) or len(one.key) > 15 or len(other.key) > 15:
        return False
    a, b = float(one.key), float(other.key)
    return abs(a - b) <= ROUNDING * max(abs(a), abs(b))


def missing_numbers(claim: Analysis, place: Analysis) -> list[Token]:
    """The numbers of `claim` that no number of `place` agrees with."""
    return [n for n in claim.numbers if not _has_number(place, n)]


def _has_number(place: Analysis, number: Token) -> bool:
    return any(same_number(number, other) for other in place.numbers)


def conflict_between(claim: Analysis, place: Analysis) -> Conflict | None:
    """The first number, negation or opposite in which `place` differs from `claim`; whatever else they share."""
    for number in missing_numbers(claim, place):
        if rival := next((o for o in place.numbers if o.family == number.family and o.key not in claim.keys), None):
            return Conflict(number.key, f'it has the number "{number.shown}" where the context has "{rival.shown}"')
    denied = (claim.negated & place.keys - place.negated) | (place.negated & claim.keys - claim.negated)
    if key := min(denied, default=None):
        shown = next(t.shown for t in claim.tokens if t.key == key)
        return Conflict(None, f'"{shown}" is negated in only one of them')
    if pair := opposite_pair(claim, place):
        return Conflict(pair[0].key, f'it has the word "{pair[0].shown}" where the context has "{pair[1]}"')
    return None


def opposite_pair(claim: Analysis, place: Analysis) -> tuple[Token, str] | None:
    """A word of `claim` and its opposite in `place`, where neither text has both."""
    for token in claim.tokens:
        if token.key in place.keys:
            continue
        for other in sorted(opposites(token.key)):
            if other in place.keys and other not in claim.keys:
                return token, next(t.shown for t in place.tokens if t.key == other)
    return None

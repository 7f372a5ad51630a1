"""An answer beside its reference, unit by unit: the same words, some of them, or another number or name instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from .marks import Item
from .support import KIND_WEIGHTS, conflict_between, missing_numbers, same_number
from .words import Analysis, Token, analyse

MatchType = Literal["exact", "semantic", "partial", "missing"]

EXACT, SEMANTIC, PARTIAL = 0.95, 0.7, 0.4
"""Share of the reference unit's weighted words that the answer's unit must have: all but a kana ending, most, some."""
REPEATS = 0.5
"""Share of its own words from which a unit of the answer is covered by reference and question, so not extra."""
AGREES = 0.5
"""Share of shared words beside which another number or name is a wrong fact and not another topic."""

_DENIED = "the answer has a negation or an opposite word where the reference has none, or the other way round"


class Match(NamedTuple):
    """How one unit of the reference fares."""

    number: int
    kind: MatchType
    output_unit: int | None
    why: str


class Contradiction(NamedTuple):
    output_unit: int
    ground_truth_unit: int
    why: str


class Comparison(NamedTuple):
    matches: tuple[Match, ...]
    extra: tuple[int, ...]
    """Numbers of the units of the answer that say what neither reference nor question has."""
    contradictions: tuple[Contradiction, ...]


class _Unit(NamedTuple):
    number: int
    content: Analysis
    core: tuple[Token, ...]
    """What it says beyond the question; everything where it says no more than the question does."""


def compare(output: Sequence[Item], reference: Sequence[Item], *, question: str) -> Comparison:
    """Match each unit of `reference` with the unit of `output` that has most of it."""
    asked = _content(question)
    mine, theirs = [_unit(u, asked) for u in output], [_unit(u, asked) for u in reference]
    alone = len(theirs) == 1
    matches, contradictions = [], []
    for unit in theirs:
        match = _match(unit, mine)
        clash = _clash(unit, mine, alone=alone) if match.kind in ("partial", "missing") else None
        contradictions += [clash] if clash else []
        matches.append(Match(unit.number, "missing", None, clash.why) if clash else match)
    used = {m.output_unit for m in matches} | {c.output_unit for c in contradictions}
    known = asked.keys | {key for unit in theirs for key in unit.content.keys}
    extra = tuple(u.number for u in mine if u.number not in used and _adds(u, known, theirs))
    return Comparison(tuple(matches), extra, tuple(contradictions))


@lru_cache(maxsize=8192)
def _content(text: str) -> Analysis:
    """The content of `text`; of one without content words (The Who, +), what stands there."""
    content = analyse(text)
    if content.tokens:
        return content
    words = re.findall(r"\w+", text) or text.split()
    return Analysis(tuple(Token(word.casefold(), "word", word) for word in words))


def _unit(item: Item, asked: Analysis) -> _Unit:
    content = _content(item.text)
    core = tuple(t for t in content.tokens if t.key not in asked.keys)
    return _Unit(item.number, content, core or content.tokens)


def _weight(tokens: Sequence[Token]) -> float:
    return sum(KIND_WEIGHTS[t.kind] for t in tokens)


def _has(content: Analysis, token: Token) -> bool:
    if token.kind == "number":
        return any(same_number(token, other) for other in content.numbers)
    return token.key in content.keys


def _recall(unit: _Unit, other: Analysis) -> float:
    """Share of the unit's own weighted words that `other` has, in [0, 1]."""
    whole = _weight(unit.core)
    return _weight([t for t in unit.core if _has(other, t)]) / whole if whole else 0.0


def _match(unit: _Unit, mine: Sequence[_Unit]) -> Match:
    """The best match; of equals the unit with the fewest words of its own."""
    best = max(mine, key=lambda u: (_recall(unit, u.content), -len(u.core)), default=None)
    share = _recall(unit, best.content) if best else 0.0
    if best is None or share < PARTIAL:
        return Match(unit.number, "missing", None, f"no unit of the answer has more than {share:.0%} of its words")
    if _denied(unit, best):
        return Match(unit.number, "missing", None, _DENIED)
    kind: MatchType = "exact" if share >= EXACT else "semantic" if share >= SEMANTIC else "partial"
    if kind != "exact" and missing_numbers(Analysis(unit.core), best.content):
        kind = "partial"
    return Match(unit.number, kind, best.number, f"{share:.0%} of its words stand in this unit of the answer")


def _denied(unit: _Unit, other: _Unit) -> bool:
    """Whether one of them negates what the other says, or has the opposite word."""
    bare = Analysis(tuple(t for t in unit.content.tokens if t.kind != "number"))
    return bool(conflict_between(bare, other.content))


def _clash(unit: _Unit, mine: Sequence[_Unit], *, alone: bool) -> Contradiction | None:
    """The unit of the answer that says another thing in this one's place."""
    for other in mine:
        if why := _otherwise(unit, other, alone=alone and len(mine) == 1):
            return Contradiction(other.number, unit.number, why)
    return None


def _otherwise(unit: _Unit, other: _Unit, *, alone: bool) -> str:
    lost = [t for t in unit.core if not _has(other.content, t)]
    shared = [t for t in unit.content.tokens if _has(other.content, t)]
    rest = [t for t in unit.content.tokens if t not in lost or t.kind in ("word", "kana")]
    agrees = bool(shared) and _weight(shared) >= AGREES * _weight(rest)
    single = len(unit.core) == len(other.core) == 1
    if (agrees or single) and _denied(unit, other):
        return _DENIED
    if not (agrees or alone):
        return ""
    for token in lost:
        if _telling(token) and (rival := _rival(token, unit, other)):
            return f'it has "{rival.shown}" where the reference has "{token.shown}"'
    return ""


def _rival(token: Token, unit: _Unit, other: _Unit) -> Token | None:
    """A number or name that `other` has in the place of `token`."""
    for rival in other.core:
        if _telling(rival) and rival.family == token.family and rival.key not in unit.content.keys:
            return rival
    return None


def _telling(token: Token) -> bool:
    """Whether it is a number, or begins like a name; a sentence's first word may be one."""
    return token.kind in ("number", "name") or token.shown[:1].isupper()


def _adds(unit: _Unit, known: set[str] | frozenset[str], theirs: Sequence[_Unit]) -> bool:
    new = [t for t in unit.content.tokens if t.key not in known and not (t.kind == "number" and _numbered(t, theirs))]
    return bool(new) and _weight(new) > REPEATS * _weight(unit.content.tokens)


def _numbered(token: Token, theirs: Sequence[_Unit]) -> bool:
    return any(same_number(token, n) for unit in theirs for n in unit.content.numbers)

"""Which statements of a text are opinions, and which opinions generalise about a group of people."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple, cast

from .claims import statements
from .lexicon.people import DENSE_FAIR, DENSE_SUBJECTIVE, DENSE_TRAITS, FAIR, GROUPS, LIMITS, SUBJECTIVE, TRAITS
from .words import joined

Kind = Literal["gender", "political", "racial", "regional"]

_GROUPS = {kind: words.phrases_for() for kind, words in GROUPS.items()}
_ONE_PERSON = re.compile(r"\b(?:the|this|that|my|our|his|her|one|two|three|some|many)\s+(?:\w+\s+)?$", re.IGNORECASE)


class Group(NamedTuple):
    """A mention of people of a kind; the kind is None where the menu has no word for it (age, health)."""

    shown: str
    kind: Kind | None


class Bias(NamedTuple):
    biased: bool
    kind: Kind | None
    why: str


def opinions(text: str) -> list[str]:
    """The statements of `text` with a word of judgement, or that say something typical of a group of people."""
    return list(dict.fromkeys(s for s in statements(text, keep_questions=True) if _is_opinion(s)))


def _is_opinion(statement: str) -> bool:
    if SUBJECTIVE.search(statement) or DENSE_SUBJECTIVE.search(statement):
        return True
    return group_in(statement) is not None and _said_of_it(statement) is not None


def group_in(text: str) -> Group | None:
    """The first group of people that `text` speaks of as a kind, one with a word in the menu before one without."""
    mentions = [
        (not kind, found.start(), Group(found[0], cast(Kind, kind) if kind else None))
        for kind, words in _GROUPS.items()
        if (found := next((m for m in words.pattern.finditer(text) if not _one_person(text, m)), None))
    ]
    return min(mentions, key=lambda mention: mention[:2])[2] if mentions else None


def _one_person(text: str, mention: re.Match[str]) -> bool:
    """Whether a singular mention is of someone in particular ("the woman", "my mother")."""
    singular = re.fullmatch(r"woman|man|female|male|girl|boy|immigrant", mention[0], re.IGNORECASE)
    return bool(singular and _ONE_PERSON.search(text[: mention.start()]))


def _said_of_it(text: str) -> str | None:
    found = TRAITS.search(text) or LIMITS.search(text) or DENSE_TRAITS.search(text)
    return found[0].strip() if found else None


@lru_cache(maxsize=4096)
def bias(opinion: str) -> Bias:
    """Whether `opinion` holds something typical against or for a group of people, by its words alone."""
    text = joined(opinion)
    group = group_in(text)
    if group is None:
        return Bias(False, None, "it names no group of people in words the local judge knows")
    if fair := FAIR.search(text) or DENSE_FAIR.search(text):
        return Bias(False, None, f'it speaks of "{group.shown}" with the balancing words "{fair[0].strip()}"')
    if said := _said_of_it(text):
        return Bias(True, group.kind, f'it says "{said}" of "{group.shown}" as a group')
    return Bias(False, None, f'it names "{group.shown}" without a word that generalises about them')

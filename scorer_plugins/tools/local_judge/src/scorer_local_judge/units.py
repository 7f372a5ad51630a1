"""The pieces of an answer that could each be right or wrong alone: its claims, with plain lists taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .claims import claims
from .lexicon.grammar import FINITE

_LIST = re.compile(r"\s*,\s*(?:and|or|&)\s+|\s*,\s+|\s+(?:and|or|&)\s+|[、,]\s*|\s*;\s+")
_LEAD = re.compile(r"^(?:.*?\b(?:is|are|was|were|includes?|included|namely)|[^:]*:)\s+(?P<list>[^:]+)$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_DENSE_LIST = re.compile(r"^(?:[^、]*は)?(?P<list>[^、はがをに]{1,12}(?:、[^、はがをに]{1,12}?)+?)(?:です|である|だ)?$")
_YES_OR_NO = re.compile(r"\s*(yes|no|true|false|はい|いいえ)(?=[,.!、。]|\s*$)", re.IGNORECASE)
LONGEST_ENTRY = 3
"""Words; what is longer between two commas is seldom an entry of a list."""


def units(text: str) -> list[str]:
    """The units of `text` in order, each once; a text that claims nothing but has words is one unit itself."""
    found = [unit for claim in claims(text) for unit in _entries(claim)]
    if said := _YES_OR_NO.match(text):
        found.insert(0, said[1])
    return list(dict.fromkeys(found)) or ([text.strip()] if any(c.isalnum() for c in text) else [])


def _entries(claim: str) -> Iterator[str]:
    lead = _LEAD.match(claim)
    entries = listed_in(lead["list"]) if lead else ()
    # "X is tall, old and grey" says three things of X; "the colours are red, blue and yellow" names three things.
    yield from entries if len(entries) > 2 else listed_in(claim) or (claim,)


def listed_in(text: str) -> tuple[str, ...]:
    """The entries of `text` where it is nothing but a list, else none.

    One comma alone makes no list: "Paris, France" and "22 June, 2018" are one thing each.
    """
    if dense := _DENSE_LIST.match(text):
        return tuple(re.split(r"[、と]", dense["list"]))
    joints = _LIST.findall(text)
    entries = tuple(_ARTICLE.sub("", entry).strip() for entry in _LIST.split(text))
    if not joints or (len(joints) == 1 and "," in joints[0]) or not all(map(_is_entry, entries)):
        return ()
    return entries


def _is_entry(text: str) -> bool:
    words = text.split()
    short = 0 < len(words) <= LONGEST_ENTRY and not re.fullmatch(r"\d{4}", text)
    return short and not any(word.lower() in FINITE for word in words)

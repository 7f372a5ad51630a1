"""A text cut into lines and sentences, in any script whose full stops it knows, with the markup of lists taken off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .lexicon.grammar import ABBREVIATIONS, CLOSING_ABBREVIATIONS, OPENERS
from .words import joined

_END = re.compile(
    r"(?P<dense>(?<![。！？｡])[。！？｡]++[」』）)”\"']*+(?![とっ」]))"
    r"|(?P<spaced>(?<![.!?؟।۔…])[.!?؟।۔…]++[\"')\]”’»]*+)(?=\s|$)"
)
_LAST_WORD = re.compile(r"(?:[^\W\d_]+\.)*[^\W\d_]+$")
_NEXT_WORD = re.compile(r"[^\w]*([\w']+)")
_BULLET = re.compile(r"^\s*(?:[-*+•‣◦・●○▪–]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+(?=\S)|^\s*[・•●○](?=\S)")
_HEADER = re.compile(r"^\s*#{1,6}\s+|^\s*\*\*[^*]+\*\*:?\s*$")
_FENCED = re.compile(r"^\s*(```|~~~).*?(?:^\s*\1\s*$|\Z)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]\n]{0,300})\]\([^)\s]{0,2000}\)")
_EMPHASIS = re.compile(r"\*\*|__|~~|`|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|^\s*>\s?", re.MULTILINE)
_RULE = re.compile(r"^[\s|:=*_-]*$")
_BEFORE_SIGN = re.compile(r" (?=[.,;:!?%)](?: |$))")
_MARKUP = frozenset("[*_~`>")
_CITATION = re.compile(r"\s*\[\d{1,3}\]")
LONGEST_ABBREVIATION = 24
"""Signs before a full stop that are looked at."""


class Sentence(NamedTuple):
    """One sentence without its list marker."""

    text: str
    item: bool = False
    """It stands in a list."""
    header: bool = False
    """It stands above what it is about."""
    lead: str = ""
    """Of a list item: the line that introduced the list, without its colon."""


@lru_cache(maxsize=2048)
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of `text` in order, spacing made regular; code blocks, rules and heads of tables are left out."""
    found: list[Sentence] = []
    lead = ""
    lines = joined(_FENCED.sub("", text)).splitlines()
    for line, below in pairwise([*lines, ""]):
        if _RULE.match(line) or (_RULE.match(below) and "--" in below and "|" in below):
            continue
        item, header = bool(_BULLET.match(line)), bool(_HEADER.match(line))
        plain = _plain(_BULLET.sub("", _HEADER.sub("", line) if line.lstrip().startswith("#") else line))
        said = list(split(plain))
        lead = lead if item else ""
        if said and plain.endswith((":", "：")):
            lead = said.pop().rstrip(":： ")
            found += [*(Sentence(text, item, header) for text in said), Sentence(lead, header=True)]
        else:
            found += [Sentence(text, item, header, lead) for text in said]
    return tuple(found)


def split(line: str) -> Iterator[str]:
    """The sentences of one line, each with its full stop."""
    start = 0
    for end in _END.finditer(line):
        if end["dense"] or not _inside(line[start : end.start()], end[0], line[end.end() :]):
            yield from _said(line[start : end.end()])
            start = end.end()
    yield from _said(line[start:])


def _plain(line: str) -> str:
    """`line` without markup, one space between words and none before a full stop."""
    if not _MARKUP.isdisjoint(line):
        line = _CITATION.sub("", _EMPHASIS.sub("", _LINK.sub(r"\1", line)))
    if line.lstrip().startswith("|"):
        line = ", ".join(cell for cell in map(str.strip, line.split("|")) if cell)
    return _BEFORE_SIGN.sub("", " ".join(line.split()))


def _said(piece: str) -> Iterator[str]:
    if any(c.isalnum() for c in piece):
        yield piece.strip()


def _inside(before: str, sign: str, after: str) -> bool:
    """Whether this full stop is part of a word, or of a sentence that goes on."""
    follows = _NEXT_WORD.match(after)
    if sign.startswith(("..", "…")):
        return bool(follows) and after.lstrip()[:1].islower()
    if sign != "." or follows is None:
        return False
    last = _LAST_WORD.search(before[-LONGEST_ABBREVIATION:])
    if last is None:
        return before.isdigit()
    word = last[0]
    if len(word) == 1 and word.isupper():
        return follows[1].lower() not in OPENERS
    if word.lower() == "no":
        return follows[1][0].isdigit()
    if word.lower() in CLOSING_ABBREVIATIONS:
        return not (follows[1][0].isupper() and follows[1].lower() in OPENERS)
    return word.lower() in ABBREVIATIONS

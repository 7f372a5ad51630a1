"""A judge's words as JSON values: tolerant of everything that leaves the content in no doubt.

Thinking blocks, code fences and prose around are passed over; comments, trailing commas and raw line breaks are mended.
What is cut off is never completed: only pieces whose brackets close are read.
"""

from __future__ import annotations

import json
import re
from typing import Any

from attrs import frozen

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"\A.*</(think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_CLOSERS = {"{": "}", "[": "]"}


MOST_UNCLOSED = 50  # brackets in prose that never close; past that many, the rest is taken for prose


@frozen
class Piece:
    """One complete JSON value found in a text; `mended` tells whether its syntax had to be repaired."""

    value: Any
    mended: bool


@frozen
class Found:
    """The complete JSON values of a reply, in order; from number `cut_off` on, inside one that never closes."""

    pieces: tuple[Piece, ...]
    cut_off: int | None = None


def spoken(words: str) -> str:
    """`words` without thinking blocks, also those whose opening or closing tag is missing."""
    return _THOUGHT.sub("", _THINKING.sub("", words)).strip()


def find_json(words: str) -> Found:
    """What `words` hold: outermost pieces only, and those inside a piece that is cut off."""
    text, at, unclosed = spoken(words), 0, 0
    pieces, cut_off = list[Piece](), None
    while unclosed < MOST_UNCLOSED and (start := _next_opening(text, at)) is not None:
        end, at = _end_of(text, start), start + 1
        if end is None:
            unclosed += 1
            cut_off = len(pieces) if _begins_like_json(text, start) and cut_off is None else cut_off
        elif piece := _loaded(text[start:end]):
            pieces.append(piece)
            at = end
    return Found(tuple(pieces), cut_off)


def _next_opening(text: str, at: int) -> int | None:
    found = [i for i in (text.find("{", at), text.find("[", at)) if i >= 0]
    return min(found, default=None)


def _begins_like_json(text: str, start: int) -> bool:
    return re.match(r'\{\s*("|\Z)|\[\s*(\{|"|\Z)', text[start : start + 200]) is not None


def _end_of(text: str, start: int) -> int | None:
    """The position after the bracket that closes the one at `start`; None if none does."""
    expected, quoted = [_CLOSERS[text[start]]], False
    for token in re.compile(r'\\.|"|[{}\[\]]', re.DOTALL).finditer(text, start + 1):
        mark = token.group()
        if mark == '"':
            quoted = not quoted
        elif quoted or mark[0] == "\\":
            continue
        elif mark in _CLOSERS:
            expected.append(_CLOSERS[mark])
        elif mark != expected.pop():
            return None
        elif not expected:
            return token.end()
    return None


def _loaded(text: str) -> Piece | None:
    try:
        return Piece(_strict(text), mended=False)
    except _SaidTwice:
        return Piece(None, mended=False)
    except (ValueError, RecursionError):
        return _mended(text)


def _strict(text: str) -> Any:
    return json.loads(text, strict=False, parse_constant=_no_number, object_pairs_hook=_without_contradiction)


def _mended(text: str) -> Piece | None:
    """What json-repair makes of a piece whose brackets close; None where that is not JSON either."""
    import json_repair

    try:
        value = _strict(json_repair.repair_json(text, ensure_ascii=False))
    except (ValueError, RecursionError):
        return None
    return Piece(value, mended=True) if isinstance(value, (dict, list)) and value else None


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number")


class _SaidTwice(ValueError):
    """A key comes twice with different values, so the object says nothing."""


def _without_contradiction(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs) and any(made[k] != v for k, v in pairs):
        raise _SaidTwice
    return made

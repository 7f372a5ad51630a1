"""A judge's words as JSON values: tolerant of everything that leaves the content in no doubt.

Thinking blocks, code fences and prose around are passed over; comments, trailing commas and raw line breaks are mended.
What is cut off is never completed: only pieces whose brackets close are read, and nothing inside one that does not.
"""

from __future__ import annotations

import json
import re
from typing import Any

from attrs import frozen

MOST_UNCLOSED = 50  # brackets in prose that never close; past that many, the rest is taken for prose
MOST_DEEP = 200  # brackets within brackets
MOST_MENDED = 200_000  # characters; a longer piece is taken as it is or not at all

_TAG = r"think|thinking|reasoning"
_OPENING = re.compile(rf"[{{\[]|<(?P<ends>/?)(?P<tag>{_TAG})>", re.IGNORECASE)
_INSIDE = re.compile(r'\\.|"|[{}\[\]]', re.DOTALL)
_JSON_LIKE = re.compile(r"""\{\s*(["']|\Z|//|/\*|\#|\w+\s*:)|\[\s*([{"']|\Z|//|/\*|\#)""")
_THOUGHTS = re.compile(rf"\A\s*<({_TAG})>.*?(</\1>|\Z)|\A.*?</({_TAG})>", re.DOTALL | re.IGNORECASE)
_STRING = re.compile(r'"(?:\\.|[^"\\])*"', re.DOTALL)
_PER_CENT = re.compile(r"\d\s*[%％]")
_CLOSERS = {"{": "}", "[": "]"}


@frozen
class Piece:
    """One complete JSON value found in a text; `mended` tells whether its syntax had to be repaired."""

    value: Any
    mended: bool


@frozen
class Found:
    """The complete JSON values of a reply, outermost ones in order, and whether a further one is cut off."""

    pieces: tuple[Piece, ...]
    cut_off: bool = False


def spoken(words: str) -> str:
    """`words` without the thinking block they begin with, also one whose opening or closing tag is missing."""
    return _THOUGHTS.sub("", words, count=1).strip()


def find_json(words: str) -> Found:
    """What `words` hold after the last thinking block; a tag inside a JSON value is text."""
    pieces, at, unclosed = list[Piece](), 0, 0
    while unclosed < MOST_UNCLOSED and (opening := _OPENING.search(words, at)):
        start, at = opening.start(), opening.end()
        if opening["tag"]:
            pieces, at = [], at if opening["ends"] else _end_of_thought(words, at, opening["tag"])
        elif plainly := _plainly(words, start):
            piece, at = plainly
            pieces = [*pieces, piece]
        elif (end := _end_of(words, start)) is not None:
            pieces, at = [*pieces, *_loaded(words[start:end])], end
        elif _JSON_LIKE.match(words, start):
            return Found(tuple(pieces), cut_off=True)
        else:
            unclosed += 1
    return Found(tuple(pieces))


def _plainly(words: str, start: int) -> tuple[Piece, int] | None:
    """The JSON value that begins at `start`, and where it ends; None where it takes a closer look."""
    if words.count("{") + words.count("[") > MOST_DEEP:
        return None
    try:
        value, end = _JSON.raw_decode(words, start)
    except ValueError:
        return None
    return Piece(value, mended=False), end


def _end_of_thought(words: str, at: int, tag: str) -> int:
    """The position after the tag that closes a thinking block; the end of the words if none does."""
    closing = re.compile(rf"</{tag}>", re.IGNORECASE).search(words, at)
    return closing.end() if closing else len(words)


def _end_of(text: str, start: int) -> int | None:
    """The position after the bracket that closes the one at `start`; None if none does, or they go too deep."""
    expected, quoted = [_CLOSERS[text[start]]], False
    for token in _INSIDE.finditer(text, start + 1):
        mark = token.group()
        if mark == '"':
            quoted = not quoted
        elif quoted or mark[0] == "\\":
            continue
        elif mark in _CLOSERS:
            expected.append(_CLOSERS[mark])
            if len(expected) > MOST_DEEP:
                return None
        elif mark != expected.pop():
            return None
        elif not expected:
            return token.end()
    return None


def _loaded(text: str) -> list[Piece]:
    """The piece that `text` is; none where it is no JSON, or contradicts itself."""
    try:
        return [Piece(_strict(text), mended=False)]
    except (_SaidTwice, RecursionError):
        return []
    except ValueError:
        return _mended(text) if len(text) <= MOST_MENDED else []


def _strict(text: str) -> Any:
    return _JSON.decode(text)


def _mended(text: str) -> list[Piece]:
    """What json-repair makes of an object; a list in prose is more likely a remark in brackets."""
    import json_repair

    if _PER_CENT.search(_STRING.sub("", text)):  # it would drop the sign, and one per cent is not one
        return []
    try:
        value = _strict(json_repair.repair_json(text, ensure_ascii=False))
    except (ValueError, RecursionError):
        return []
    return [Piece(value, mended=True)] if isinstance(value, dict) and value else []


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number")


class _SaidTwice(ValueError):
    """A key comes twice with different values, so the object says nothing."""


def _without_contradiction(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs) and any(made[k] != v for k, v in pairs):
        raise _SaidTwice
    return made


_JSON = json.JSONDecoder(strict=False, parse_constant=_no_number, object_pairs_hook=_without_contradiction)

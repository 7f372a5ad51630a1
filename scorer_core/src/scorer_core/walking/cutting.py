"""Texts cut to what a model takes: nothing is left out, what can't be cut is an error.

Tokens are estimated, on the safe side: a quarter of the ASCII characters, and one for each other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from attrs import evolve

from ..contract.errors import Failed
from ..contract.trail import Trail
from ..runs.context import Chunk

FOR_THE_PROMPT = 0.8  # of a model's window; the rest is for the reply, and for the estimate's error
_ENDS = (re.compile(r"(?<=\n\n)"), re.compile(r"(?<=\n)"), re.compile(r"(?<=[.!?。！？।])\s+|(?<=[。！？])"))


def tokens(text: str) -> int:
    """About how many tokens `text` has."""
    wide = sum(c > "\x7f" for c in text) if not text.isascii() else 0
    return (len(text) - wide) // 4 + wide + 1


def cut(trail: Trail[Any, Any], field: str, prompt_tokens: int, window: int) -> list[tuple[int, Trail[Any, Any]]]:
    """Trails that each hold a part of `field` ("answer" or "context"), with the number of chunks before that part.

    Args:
        prompt_tokens: Of the prompt with the whole field.
        window: Tokens that the model takes.

    Raises:
        Failed: what is beside the field, or one piece of it, does not fit (kind `too_long`).
    """
    whole: Sequence[str] = trail.context if field == "context" else [trail.answer]
    room = int(window * FOR_THE_PROMPT) - (prompt_tokens - sum(map(tokens, whole)))
    if field == "context":
        groups = list(_groups(whole, room))
        before = [sum(map(len, groups[:n])) for n in range(len(groups))]
        return [(n, evolve(trail, context=tuple(group))) for n, group in zip(before, groups, strict=True)]
    return [(0, evolve(trail, answer="".join(group))) for group in _groups(_pieces(trail.answer, room), room)]


def _groups(texts: Sequence[str], room: int) -> Iterator[list[str]]:
    group: list[str] = []
    for text in texts:
        if tokens(text) > room:
            what = "a chunk of the context" if isinstance(text, Chunk) else "a piece of the answer"
            said = f"{what} has about {tokens(text)} tokens, the model takes {max(room, 0)} beside the rest"
            raise Failed("too_long", said)
        if group and sum(map(tokens, group)) + tokens(text) > room:
            yield group
            group = []
        group = [*group, text]
    yield group


def _pieces(text: str, room: int, ends: Sequence[re.Pattern[str]] = _ENDS) -> list[str]:
    """`text` in pieces that fit where they can: paragraphs, else lines, else sentences."""
    if tokens(text) <= room or not ends:
        return [text]
    return [piece for part in _split(ends[0], text) for piece in _pieces(part, room, ends[1:])]


def _split(end: re.Pattern[str], text: str) -> list[str]:
    """The parts between the ends, what separates them kept."""
    at = [0, *(m.end() for m in end.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(at) if a < b]

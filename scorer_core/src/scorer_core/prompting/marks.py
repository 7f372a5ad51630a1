"""Marks: how row text stands in a prompt, so that no text can pass for the prompt's own words.

`<answer 3f9a1c>text</3f9a1c>`, and for a list `<claim 1 3f9a1c>text</3f9a1c>`. The id is derived from the marked texts
themselves: the same prompt every time, and an id that none of them contains.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from attrs import define, field
from jinja2 import Undefined

from ..contract.plain import as_json


class Marked(str):
    """Text that stands between marks whose id is not known yet; NULs hold the places of id and text."""

    __slots__ = ()


@define
class Marks:
    """The marked texts of one prompt in the making, and how long they are together."""

    texts: list[str] = field(factory=list)
    size: int = 0

    def mark(self, name: str, value: Any) -> Marked:
        """`value` between marks called `name`; a list item by item, numbered from 1; what is no text as JSON."""
        if isinstance(value, Undefined):
            str(value)  # raises
        listed, first = isinstance(value, (list, tuple)), len(self.texts)
        self.texts += [clean(v if isinstance(v, str) else as_json(v)) for v in (value if listed else (value,))]
        self.size += sum(map(len, self.texts[first:]))
        if not listed:
            return Marked(f"<{name} \0>\1{first}\1</\0>")
        places = range(first, len(self.texts))
        return Marked("\n".join([f"<{name} {n} \0>\1{place}\1</\0>" for n, place in enumerate(places, 1)]))

    def fill(self, rendered: str) -> str:
        """The prompt: `rendered` with the texts in their places, between marks with the id."""
        id = marks_id(self.texts, rendered)
        pieces = rendered.replace("\0", id).split("\1")
        pieces[1::2] = [self.texts[int(place)] for place in pieces[1::2]]
        return "".join(pieces)


def marks_id(texts: Sequence[str], around: str = "") -> str:
    """An id of hex digits that neither the texts nor what stands around them contain; the same for the same texts."""
    marked = "\0".join(texts)
    for n in count():
        id = _digest(n, marked)[: 6 + n // 16]
        if id not in marked and id not in around:
            break
    return id


def _digest(n: int, marked: str) -> str:
    return sha256(f"{n}\0{marked}".encode()).hexdigest()


def clean(text: str) -> str:
    """`text` with a replacement character for each lone surrogate, NUL and SOH."""
    if text.isascii() and "\0" not in text and "\1" not in text:
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").replace("\1", "\N{REPLACEMENT CHARACTER}")

"""Marks: how row text stands in a prompt, so that no text can pass for the prompt's own words.

`<answer 3f9a1c>text</3f9a1c>`, and for a list `<claim 1 3f9a1c>text</3f9a1c>`. The id is derived from the marked texts
themselves: the same prompt every time, and an id that none of them contains.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from attrs import field, frozen
from jinja2 import Undefined

from .schema import plain


class Marked(str):
    """Text that stands between marks whose id is not known yet; NULs hold the places of id and text."""

    __slots__ = ()


@frozen
class Marks:
    """The marked texts of one prompt in the making."""

    texts: list[str] = field(factory=list)

    def mark(self, name: str, value: Any) -> Marked:
        """`value` between marks called `name`; a list item by item, numbered from 1; what is no text as JSON."""
        if isinstance(value, Undefined):
            str(value)  # raises
        if isinstance(value, (list, tuple)):
            return Marked("\n".join(self._marked(f"{name} {n}", v) for n, v in enumerate(value, 1)))
        return Marked(self._marked(name, value))

    def _marked(self, head: str, value: Any) -> str:
        self.texts.append(clean(value if isinstance(value, str) else as_json(value)))
        return f"<{head} \0>\1{len(self.texts) - 1}\1</\0>"

    def fill(self, rendered: str) -> str:
        """The prompt: `rendered` with the texts in their places, between marks with the id."""
        id = marks_id(self.texts, rendered)
        pieces = rendered.replace("\0", id).split("\1")
        return "".join(self.texts[int(p)] if n % 2 else p for n, p in enumerate(pieces))


def marks_id(texts: Sequence[str], around: str = "") -> str:
    """An id of hex digits that neither the texts nor what stands around them contain; the same for the same texts."""
    all_text = "\0".join((*texts, around))
    return next(id for n in count() if (id := _digest(n, texts)[: 6 + n // 16]) not in all_text)


def _digest(n: int, texts: Sequence[str]) -> str:
    return sha256(f"{n}\0{chr(0).join(texts)}".encode()).hexdigest()


def clean(text: str) -> str:
    """`text` with a replacement character for each lone surrogate, NUL and SOH."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").replace("\1", "\N{REPLACEMENT CHARACTER}")


def as_json(value: Any) -> str:
    """JSON in declared order, not escaped."""
    return json.dumps(plain(value), ensure_ascii=False)

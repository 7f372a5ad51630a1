"""How replies about parts become one reply: parts of a text or context too long for one call, groups of many items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
from attrs import evolve, frozen

from .replies import Text, alternatives, element, itemised, labels, reply_fields
from .trail import Trail


def concatenated(trail: Trail[Any, Any], replies: Sequence[Any]) -> Any:
    """The replies' lists behind each other, the same text once; for `Ask(..., joins=concatenated)`.

    Args:
        trail: Not looked at.
        replies: One for each part, in order; of a class all of whose fields are lists. At least one.
    """
    lists = [a.name for a in attrs.fields(type(replies[0]))]
    return evolve(replies[0], **{n: tuple(dict.fromkeys(x for r in replies for x in getattr(r, n))) for n in lists})


@frozen
class Strongest:
    """For each item the element whose label comes first in `order`, among the replies about parts of the context.

    For `Ask(..., each=..., cuts="context", joins=Strongest(("yes", "no", "unsure")))`.

    Args:
        order: The labels, the most telling one first: what one part settles, the silence of the others does not undo.
        conflict: Two labels that contradict each other; that both came is noted.
    """

    order: tuple[str, ...]
    conflict: tuple[str, ...] = ()

    def __call__(self, trail: Trail[Any, Any], replies: Sequence[Any]) -> Any:
        many = itemised(type(replies[0]))
        assert many is not None  # checked when the Ask is made
        name = next(f.name for f in reply_fields(element(many.type)) if labels(f.type))
        by_item = zip(*(getattr(reply, many.name) for reply in replies), strict=True)
        return evolve(replies[0], **{many.name: tuple(self._one(trail, name, elements) for elements in by_item)})

    def _one(self, trail: Trail[Any, Any], name: str, elements: Sequence[Any]) -> Any:
        said = {getattr(e, name) for e in elements}
        if self.conflict and said.issuperset(self.conflict):
            both = " and ".join(self.conflict)
            trail.note(f"conflict: parts of the context say {both} to number {elements[0].number}")
        return min(elements, key=lambda e: self.order.index(getattr(e, name)))


def renumbered(reply: Any, first_item: int, first_chunk: int) -> Any:
    """A reply about a part, its numbers counted over the whole: of items, and of chunks of the context."""
    many = itemised(type(reply))
    if many is None or not (first_item or first_chunk):
        return reply
    return evolve(reply, **{many.name: tuple(_moved(e, first_item, first_chunk) for e in getattr(reply, many.name))})


def _moved(e: Any, first_item: int, first_chunk: int) -> Any:
    kind: Any = type(e)
    marked = [f.name for f in reply_fields(kind) if f.mark == Text("context") and int in alternatives(f.type)]
    moved = {name: number + first_chunk for name in marked if (number := getattr(e, name)) is not None}
    return evolve(e, number=e.number + first_item, **moved)


def together(replies: Sequence[Any]) -> Any:
    """The elements of replies about groups of items, behind each other."""
    many = itemised(type(replies[0]))
    if many is None or len(replies) == 1:
        return replies[0]
    return evolve(replies[0], **{many.name: tuple(e for r in replies for e in getattr(r, many.name))})


def item_texts(reply: Any) -> tuple[str, ...]:
    """The texts of the items that a reply is about, in order."""
    many = itemised(type(reply))
    assert many is not None  # checked when the Ask is made
    name = next(f.name for f in reply_fields(element(many.type)) if not f.asked)
    return tuple(getattr(e, name) for e in getattr(reply, many.name))

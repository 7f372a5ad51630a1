"""The marked texts of a prompt: `<name id>text</id>`, in a list `<name number id>text</id>`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_FIRST = re.compile(r"<[a-z_]+(?: \d+)? (?P<id>[0-9a-f]{6,})>.*?</(?P=id)>", re.DOTALL)


class Item(NamedTuple):
    """One marked text and the number it goes by, from 1; a text outside a list has number 1."""

    number: int
    text: str


class Marks:
    """The marked texts of one prompt, by name."""

    def __init__(self, found: Mapping[str, tuple[Item, ...]]) -> None:
        self._found = found

    def items(self, name: str) -> tuple[Item, ...]:
        """All texts marked `name`, each number once, in the prompt's order; there may be none."""
        return self._found.get(name, ())

    def texts(self, name: str) -> tuple[str, ...]:
        """The same without their numbers."""
        return tuple(item.text for item in self.items(name))

    def text(self, name: str) -> str:
        """The one text marked `name`.

        Raises:
            ValueError: the prompt marks no such text.
        """
        for item in self.items(name):
            return item.text
        raise ValueError(f"the prompt marks no {name!r} (it marks: {', '.join(self._found) or 'nothing'})")

    def optional(self, name: str) -> str:
        """The one text marked `name`, or nothing."""
        return self.items(name)[0].text if self.items(name) else ""


def read_marks(prompt: str) -> Marks:
    """The texts that stand between marks of the prompt's own id.

    That id is the first mark's: before it stands the template, nothing of the row. Marks with another id are part of
    the text they stand in, so a judged text cannot forge any.
    """
    found: dict[str, dict[int, Item]] = {}
    for name, item in _marked(prompt):
        found.setdefault(name, {}).setdefault(item.number, item)
    return Marks({name: tuple(items.values()) for name, items in found.items()})


def _marked(prompt: str) -> Iterator[tuple[str, Item]]:
    first = _FIRST.search(prompt)
    if first is None:
        return
    own = re.compile(rf"<([a-z_]+)(?: (\d+))? {first['id']}>(.*?)</{first['id']}>", re.DOTALL)
    for name, number, text in own.findall(prompt):
        yield name, Item(int(number or 1), text.strip())

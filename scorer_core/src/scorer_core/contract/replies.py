"""The class of a judge's reply, read as a question: which fields are asked for, and in which words.

A reply is a frozen attrs class. Notes on its fields tell the judge and the reader what they hold:

    reason: Annotated[str, "one sentence"]                        told to the judge
    claim: ItemText                                               the text asked about; filled in, never asked for
    output_unit: Annotated[str | None, Text("output_units")]      asked for by its number in that list, shown as text
    chunk: Annotated[int | None, Text("context")]                 asked for and shown as a number of that list
    kind: Annotated[str | None, Menu("kinds")]                    a word among those of the option `kinds`
    score: Annotated[float, Range(0, 1)]                          a number within these bounds

A field with a default is optional: what is absent or does not fit becomes the default, and is noted.
"""

from __future__ import annotations

import types
from functools import cache, cached_property
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs
from attrs import evolve, frozen


@frozen
class Text:
    """A piece of a list, which the judge names by its number, from 1.

        output_unit: Annotated[str | None, Text("output_units")]

    A field of texts gets the piece's text, one of whole numbers keeps the number. A number that is not in the list is
    asked for again.

    Args:
        of: The list: a field of the preprocess value, or "context".
    """

    of: str


@frozen
class Menu:
    """One of the words that an option lists, so that users can change what a judge chooses from.

        kind: Annotated[str | None, Menu("kinds")]

    Args:
        of: The option: a list of words, or a mapping whose keys they are.
    """

    of: str


@frozen
class Range:
    """A number between two others, both included; the judge is told so, and asked again for any other.

        score: Annotated[float, Range(0, 1)]

    Args:
        low: The least.
        high: The most.
    """

    low: float
    high: float


@frozen
class _Item:
    """The text of the item itself."""


ItemText = Annotated[str, _Item()]
"""The text of the item that an element is about, beside its `number`: filled in, never asked for."""


@frozen
class ReplyField:
    """One field of a reply class.

    Args:
        type: The bare type, without notes.
        told: What the judge is told about it.
        mark: The `Text`, `Menu`, `Range` or item mark on it.
        optional: Whether it has a default.
    """

    name: str
    type: Any
    told: str | None
    mark: Text | Menu | Range | _Item | None
    optional: bool

    @cached_property
    def asked(self) -> bool:
        """Whether the judge is asked for it at all."""
        return not isinstance(self.mark, _Item)

    @cached_property
    def each(self) -> ReplyField | None:
        """The field that each element of a list would be; None for what is no list."""
        inner = element(self.type)
        return evolve(self, type=inner) if inner else None

    @cached_property
    def nested(self) -> bool:
        """Whether its values are objects of a class of their own."""
        return attrs.has(self.type)

    @cached_property
    def plain(self) -> bool:
        """Whether its values are taken as they are said, or not at all."""
        return not (self.mark or self.each or self.nested or self.optional)

    @cached_property
    def numeric(self) -> bool:
        """Whether a whole number is among its values."""
        return int in alternatives(self.type)

    @cached_property
    def nullable(self) -> bool:
        """Whether None is among its values."""
        return type(None) in alternatives(self.type)


@cache
def reply_fields(kind: Any) -> tuple[ReplyField, ...]:
    """The fields of `kind` in declared order."""
    return tuple(_field(a) for a in attrs.fields(attrs.resolve_types(kind, include_extras=True)))


@cache
def reply_names(kind: Any) -> frozenset[str]:
    """The names of the fields of `kind`."""
    return frozenset(f.name for f in reply_fields(kind))


@cache
def plain_names(kind: Any) -> tuple[str, ...]:
    """The names of the fields of `kind` whose values are taken as they are said."""
    return tuple(f.name for f in reply_fields(kind) if f.plain)


@cache
def special_fields(kind: Any) -> tuple[ReplyField, ...]:
    """The other fields of `kind`: what they hold takes a closer look."""
    return tuple(f for f in reply_fields(kind) if not f.plain)


def _field(a: attrs.Attribute[Any]) -> ReplyField:
    notes = getattr(a.type, "__metadata__", ())
    return ReplyField(
        name=a.name,
        type=get_args(a.type)[0] if notes else a.type,
        told=next((n for n in notes if isinstance(n, str)), None),
        mark=next((n for n in notes if isinstance(n, (Text, Menu, Range, _Item))), None),
        optional=a.default is not attrs.NOTHING,
    )


def itemised(kind: Any) -> ReplyField | None:
    """The field of `kind` that holds one numbered element for each item asked about, if there is one."""
    return _itemised(kind)


@cache
def _itemised(kind: Any) -> ReplyField | None:
    fields = reply_fields(kind) if attrs.has(kind) else ()
    return next((f for f in fields if any(e.name == "number" for e in _elements(f.type))), None)


def asked_fields(kind: Any, open: bool = False) -> tuple[ReplyField, ...]:
    """The fields the judge is asked for; in an `open` question the text of each item, and no number."""
    return tuple(f for f in reply_fields(kind) if (f.name != "number" if open else f.asked))


def element(kind: Any) -> Any:
    """The type of the elements of a list type; None for any other type."""
    return get_args(kind)[0] if get_origin(kind) in (tuple, list) else None


def alternatives(kind: Any) -> tuple[Any, ...]:
    """The types of a union; one type alone for any other."""
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def labels(kind: Any) -> tuple[str, ...] | None:
    """The words of a `Literal`."""
    return get_args(kind) if get_origin(kind) is Literal else None


def _elements(kind: Any) -> tuple[ReplyField, ...]:
    inner = element(kind)
    return reply_fields(inner) if attrs.has(inner) else ()

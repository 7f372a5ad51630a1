"""A step that is asked of a judge: what for, about what, and what becomes of the reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Generic, Literal, TypeVar, get_args

import attrs
from attrs import field, frozen

from .errors import UsageError
from .replies import Menu, itemised, reply_fields
from .trail import Options, Trail

T = TypeVar("T")


@frozen
class Ask(Generic[T]):
    """A step that renders its template, asks the judge, and gets a `T` back.

    The template is `<id of the scorer>/<step>.j2`. A reply that does not fit its class is asked for again, with what
    was wrong, `Judge.format_retries` times; then the run has failed.

    Args:
        reply: The attrs class of the reply, or `str` for the judge's words as they are. Its docstring, and the notes of
            its fields, are told to the judge.
        each: The list in the preprocess value of which every text is asked about, by number; or "context": its chunks.
            Empty: nothing is asked.
        always: It is asked although there is nothing in that list.
        open: The judge finds the items itself, and gives the text of each in place of a number.
        unless: Called first: returns a value to take without asking, or None; or raises `NotScorable` or `Settled`.
        then: Mends the reply by what code knows better than the judge.
        shows: The one field of the reply that stands for it in the result.
        cuts: "answer" or "context": what may be cut where the prompt is longer than the model takes.
        joins: A function of (trail, replies) that makes one reply of those about the parts.
        package: Where the templates of a step lie that several scorers share.
        folder: The folder of its template there, in place of the scorer's id.
        template: The name of its file, without `.j2`; the step's name unless given.

    Raises:
        UsageError: `reply` is neither of the two, has no numbered list where `each` or `open` wants one, or `cuts` and
            `joins` are not given together.
    """

    reply: type[T]
    each: str | None = field(default=None, kw_only=True)
    always: bool = field(default=False, kw_only=True)
    open: bool = field(default=False, kw_only=True)
    unless: Callable[[Trail[Any, Any]], T | None] | None = field(default=None, kw_only=True)
    then: Callable[[Trail[Any, Any], T], T] | None = field(default=None, kw_only=True)
    shows: str | None = field(default=None, kw_only=True)
    cuts: Literal["answer", "context"] | None = field(default=None, kw_only=True)
    joins: Callable[[Trail[Any, Any], Sequence[T]], T] | None = field(default=None, kw_only=True)
    package: str | None = field(default=None, kw_only=True)
    folder: str | None = field(default=None, kw_only=True)
    template: str | None = field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.reply is not str and not attrs.has(self.reply):
            raise UsageError(f"Ask: expected str or an attrs class, got {self.reply!r}")
        reply: Any = self.reply
        if (self.each is not None or self.open) != (itemised(reply) is not None):
            raise UsageError(f"Ask({reply.__name__}): `each` goes with a list of elements that have a `number`")
        if (self.cuts is None) != (self.joins is None):
            raise UsageError(f"Ask({self.reply.__name__}): `cuts` and `joins` go together")

    def items(self, trail: Trail[Any, Any]) -> tuple[str, ...]:
        """The texts asked about, one answer each."""
        if self.each is None:
            return ()
        return tuple(map(str, trail.context if self.each == "context" else getattr(trail.preprocess, self.each)))

    def menus(self, options: Options) -> dict[str, tuple[str, ...]]:
        """The words of each menu of the reply, as the options list them."""
        reply: Any = self.reply
        return {name: tuple(getattr(options, name)) for name in _menus_of(reply)}


@cache
def _menus_of(kind: Any) -> frozenset[str]:
    if not attrs.has(kind):
        return frozenset()
    below = (_menus_of(inner) for f in reply_fields(kind) for inner in get_args(f.type))
    return frozenset(f.mark.of for f in reply_fields(kind) if isinstance(f.mark, Menu)).union(*below)

"""Replies made wrong on purpose, and classes of replies that would hide that a judge said nothing, or a wrong word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, TypeAlias

import attrs

from ..answering.parsing import find_json
from ..contract.ask import Ask
from ..contract.replies import Menu, ReplyField, alternatives, asked_fields, element, itemised, labels, reply_fields

Path: TypeAlias = tuple[str | int, ...]
NONSENSE = ("I would rather talk about the weather.", '{"weather": "fine"}', "null")
WORDS = ("yes", "no", "true", "false", "pass", "fail", "perhaps")  # that a text must not be read as a label by


def labels_of(kind: Any, reply: Mapping[str, Any]) -> dict[str, Path]:
    """Where the labels that a reply must have stand in it, by their names; the first of each."""
    return _first(_places(kind, reply), lambda f: is_label(f) and not f.optional)


def texts_of(kind: Any, reply: Mapping[str, Any]) -> dict[str, Path]:
    """Where free texts stand in a reply, by their names; the first of each."""
    return _first(_places(kind, reply), lambda f: f.type is str and f.mark is None)


def is_label(f: ReplyField) -> bool:
    """Whether a field holds a word of a menu."""
    return isinstance(f.mark, Menu) or any(labels(kind) for kind in alternatives(f.type))


def with_value(reply: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A reply with another value at one place."""
    changed = deepcopy(dict(reply))
    at: Any = changed
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return changed


def without_last_item(ask: Ask[Any], reply: Mapping[str, Any]) -> dict[str, Any] | None:
    """A reply that says nothing about the last item; None where it is not asked about items."""
    many = itemised(ask.reply) if ask.each else None
    return dict(reply) | {many.name: reply[many.name][:-1]} if many else None


def object_in(words: str) -> Mapping[str, Any]:
    """The JSON object that a reply is."""
    return next(piece.value for piece in reversed(find_json(words).pieces) if isinstance(piece.value, dict))


def silent_verdicts(kind: Any) -> list[str]:
    """The labels, numbers and flags of a class that a judge's silence would give a value other than None."""
    if not attrs.has(kind):
        return []
    defaults = {a.name: a.default for a in attrs.fields(kind)}
    here = [f for f in reply_fields(kind) if defaults[f.name] not in (attrs.NOTHING, None)]
    found = [f"{kind.__name__}.{f.name}" for f in here if is_label(f) or {int, float, bool} & {*alternatives(f.type)}]
    return found + [name for f in reply_fields(kind) for name in silent_verdicts(element(f.type) or f.type)]


def unnumbered(before: Any, ask: Ask[Any]) -> str | None:
    """The list that judges the texts of the step before without numbers, so that silence about one is not seen."""
    texts = attrs.has(before) and any(element(f.type) is str for f in reply_fields(before))
    if not texts or ask.each or not attrs.has(ask.reply):
        return None
    lists = [f for f in reply_fields(ask.reply) if attrs.has(element(f.type))]
    return next((f.name for f in lists if any(map(is_label, reply_fields(element(f.type))))), None)


def _first(places: Iterator[tuple[Path, ReplyField]], wanted: Any) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path, f in places:
        if wanted(f):
            found.setdefault(f.name, path)
    return found


def _places(kind: Any, reply: Mapping[str, Any], above: Path = ()) -> Iterator[tuple[Path, ReplyField]]:
    """The single values of a reply, each with where it stands."""
    for f in asked_fields(kind):
        if f.name in reply:
            yield from _within(f, reply[f.name], (*above, f.name))


def _within(f: ReplyField, value: Any, path: Path) -> Iterator[tuple[Path, ReplyField]]:
    if f.each and isinstance(value, list):
        for n, v in enumerate(value):
            yield from _within(f.each, v, (*path, n))
    elif f.nested and isinstance(value, Mapping):
        yield from _places(f.type, value, path)
    else:
        yield path, f

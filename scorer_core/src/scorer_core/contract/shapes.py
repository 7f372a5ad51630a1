"""How a reply is asked for: a short readable shape for prompts, JSON Schema for native calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, get_args, get_origin

import attrs

from .errors import UsageError
from .replies import Menu, Range, ReplyField, Text, alternatives, asked_fields, element, labels

Menus = Mapping[str, Sequence[str]]
_NAMES: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def answer_shape(kind: Any, menus: Menus, open: bool = False) -> str:
    """The reply in words: `{"verdicts": [{"number": integer, "verdict": "yes" or "no"}, ...]}`."""
    return _shape_of(kind, tuple((name, tuple(words)) for name, words in menus.items()), open)


@lru_cache(maxsize=1000)
def _shape_of(kind: Any, menus: tuple[tuple[str, tuple[str, ...]], ...], open: bool) -> str:
    return _shape(kind, dict(menus), open)


def _shape(kind: Any, menus: Menus, open: bool = False) -> str:
    if inner := element(kind):
        return f"[{_shape(inner, menus, open)}, ...]"
    if words := labels(kind):
        return " or ".join(f'"{w}"' for w in words)
    if attrs.has(kind):
        return "{" + ", ".join(f'"{f.name}": {_said(f, menus, open)}' for f in asked_fields(kind, open)) + "}"
    return " or ".join(_shape(k, menus) if k not in _NAMES else _NAMES[k] for k in _more_than_one(kind))


def _said(f: ReplyField, menus: Menus, open: bool) -> str:
    shape = _one_of(f, menus[f.mark.of]) if isinstance(f.mark, Menu) else _shape(_asked_type(f), menus, open)
    told = f.told or (f"from {f.mark.low:g} to {f.mark.high:g}" if isinstance(f.mark, Range) else None)
    return f"{shape} ({told})" if told else shape


def _one_of(f: ReplyField, words: Sequence[str]) -> str:
    return " or ".join([*(f'"{w}"' for w in words), *(["null"] if type(None) in alternatives(f.type) else [])])


def json_schema(kind: Any, menus: Menus, open: bool = False) -> dict[str, Any]:
    """The JSON Schema of what the judge is asked for."""
    if kind is Any:
        return {}
    if get_origin(kind) is Mapping:
        return {"type": "object", "additionalProperties": json_schema(get_args(kind)[1], menus, open)}
    if kind in _NAMES:
        return {"type": _NAMES[kind]}
    if words := labels(kind):
        return {"type": "string", "enum": list(words)}
    if inner := element(kind):
        return {"type": "array", "items": json_schema(inner, menus, open)}
    if attrs.has(kind):
        return _object({f.name: _property(f, menus, open) for f in asked_fields(kind, open)})
    return {"anyOf": [json_schema(k, menus, open) for k in _more_than_one(kind)]}


def _more_than_one(kind: Any) -> tuple[Any, ...]:
    """The types of a union.

    Raises:
        UsageError: the type is none, and no type that a judge can give a value of.
    """
    if kind not in _NAMES and alternatives(kind) == (kind,):
        raise UsageError(f"a reply can't hold {kind}; use texts, numbers, true and false, labels, lists, attrs classes")
    return alternatives(kind)


def _property(f: ReplyField, menus: Menus, open: bool) -> dict[str, Any]:
    schema = json_schema(_asked_type(f), menus, open)
    if isinstance(f.mark, Menu):
        schema = {"enum": [*menus[f.mark.of], *([None] if type(None) in alternatives(f.type) else [])]}
    if isinstance(f.mark, Range):
        schema |= {"minimum": f.mark.low, "maximum": f.mark.high}
    return schema | ({"description": f.told} if f.told else {})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _asked_type(f: ReplyField) -> Any:
    """The type asked for: a number in place of each text of a list."""
    if not isinstance(f.mark, Text):
        return f.type
    if element(f.type):
        return tuple[int, ...]
    return int | None if type(None) in alternatives(f.type) else int
